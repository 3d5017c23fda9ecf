// Two heat maps of one grid, before the last change and now, with one cursor for mouse and keyboard.
import { makeChart } from './charts.js';
import { byId, setText } from './dom.js';
import { describe, drawLegend, fullestOf, heatMapOption, pick } from './heatmap.js';

export class HeatMaps {
  #maps = ['before', 'now'].map((name) => ({
    name,
    element: byId(`map-${name}`),
    chart: makeChart(byId(`map-${name}`)),
  }));
  #grid = null;
  #cells = null;
  #direction = 'fuller';
  #cursor = null;
  #onOpen;
  #onBack;

  /**
   * @param {(row: {name: string, first: number, count: number}) => void} onOpen a row was chosen
   * @param {() => void} onBack one level up
   */
  constructor(onOpen, onBack) {
    this.#onOpen = onOpen;
    this.#onBack = onBack;
    for (const { element, chart } of this.#maps) {
      element.tabIndex = 0;
      element.setAttribute('role', 'application');
      element.setAttribute('aria-roledescription', 'heat map');
      element.setAttribute('aria-describedby', 'readout');
      element.addEventListener('keydown', (event) => this.#onKey(event));
      element.addEventListener('focus', () => this.#moveTo(this.#cursor ?? { row: 0, column: 0 }));
      element.addEventListener('blur', () => this.#clear());
      chart.on('mouseover', { seriesIndex: 0 }, ({ value }) => this.#moveTo({ column: value[0], row: value[1] }));
      chart.on('click', ({ value }) => this.#onOpen(this.#grid.rows[value[1]]));
      chart.getZr().on('globalout', () => this.#clear());
    }
  }

  /** @param {object} grid the answer of /v1/loads */
  show(grid) {
    const same =
      this.#grid !== null &&
      this.#grid.layer === grid.layer &&
      this.#grid.first === grid.first &&
      this.#grid.count === grid.count;
    if (!same) this.#cursor = null;
    this.#grid = grid;
    this.redraw();
  }

  setDirection(direction) {
    this.#direction = direction;
    this.redraw();
  }

  redraw() {
    if (this.#grid === null) return;
    this.#cells = pick(this.#grid, this.#direction);
    for (const map of this.#maps) {
      const size = { width: map.element.clientWidth, height: map.element.clientHeight };
      map.chart.setOption(heatMapOption(this.#grid, this.#cells, map.name, size), true);
      map.element.setAttribute('aria-label', this.#label(map.name));
    }
    drawLegend(fullestOf(this.#cells));
    this.#readOut();
  }

  #label(name) {
    const { rows, columns, layers, layer } = this.#grid;
    return (
      `${layers[layer]}, ${name === 'now' ? 'now' : 'before the last change'}: ${rows.length} rows, ${columns.length} columns. ` +
      'Arrow keys move, Enter opens, Escape goes back.'
    );
  }

  #onKey(event) {
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    const cursor = this.#cursor ?? { row: 0, column: 0 };
    if (event.key in steps) {
      const [down, right] = steps[event.key];
      this.#moveTo({ row: cursor.row + down, column: cursor.column + right });
    } else if (event.key === 'Home' || event.key === 'End') {
      this.#moveTo({ ...cursor, column: event.key === 'Home' ? 0 : Infinity });
    } else if (event.key === 'PageUp' || event.key === 'PageDown') {
      this.#moveTo({ ...cursor, row: event.key === 'PageUp' ? 0 : Infinity });
    } else if (event.key === 'Enter' && this.#grid !== null) {
      this.#onOpen(this.#grid.rows[cursor.row]);
    } else if (event.key === 'Escape' || event.key === 'Backspace') {
      this.#onBack();
    } else {
      return;
    }
    event.preventDefault();
  }

  #moveTo({ row, column }) {
    if (this.#grid === null || this.#grid.rows.length === 0) return;
    const clamp = (value, length) => Math.min(Math.max(value, 0), length - 1);
    this.#cursor = { row: clamp(row, this.#grid.rows.length), column: clamp(column, this.#grid.columns.length) };
    const at = this.#cursor.row * this.#grid.columns.length + this.#cursor.column;
    for (const { name, chart, element } of this.#maps) {
      chart.dispatchAction({ type: 'downplay', seriesIndex: 0 });
      if (this.#cells[name][at] === null) continue;
      const dataIndex = this.#cells[name].slice(0, at).filter((load) => load !== null).length;
      chart.dispatchAction({ type: 'highlight', seriesIndex: 0, dataIndex });
      if (element === document.activeElement) chart.dispatchAction({ type: 'showTip', seriesIndex: 0, dataIndex });
    }
    this.#readOut();
  }

  #clear() {
    for (const { chart } of this.#maps) {
      chart.dispatchAction({ type: 'downplay', seriesIndex: 0 });
      chart.dispatchAction({ type: 'hideTip' });
    }
  }

  #readOut() {
    if (this.#cursor === null) {
      const { rows } = this.#grid;
      setText(
        byId('readout'),
        rows.some((row) => row.count > 1)
          ? 'Click a row, or press Enter, to see its switches'
          : 'Click a row, or press Enter, to see its links',
      );
      return;
    }
    const { place, facts } = describe(this.#grid, this.#cells, this.#cursor);
    setText(byId('readout'), `${place}: ${facts.join(', ')}`);
  }
}
