// What a heat map of a grid shows: colours, crosses, texts and the legend.
import { chartBase, tooltipBase } from './charts.js';
import { byId, h } from './dom.js';
import { percent, plural } from './format.js';
import { colors, loadColor } from './theme.js';

const kCross = 'path://M1,0 L5,4 L9,0 L10,1 L6,5 L10,9 L9,10 L5,6 L1,10 L0,9 L4,5 L0,1 Z';
const kPad = { left: 96, right: 12, top: 6, bottom: 40 };

/**
 * @typedef {object} Cells row by row
 * @property {(number | null)[]} now demand over capacity of the fullest link; null: there is none
 * @property {(number | null)[]} before
 * @property {(number | null)[]} mean
 * @property {number[]} dead links that are down
 */

/**
 * Of both directions, cell by cell, the one that the user wants to see.
 * @param {object} grid the answer of /v1/loads
 * @param {'fuller' | 'up' | 'down'} direction
 * @returns {Cells}
 */
export function pick(grid, direction) {
  if (direction !== 'fuller') return grid[direction];
  const fuller = (name) => grid.up[name].map((up, i) => (up === null ? null : Math.max(up, grid.down[name][i])));
  return {
    now: fuller('now'),
    before: fuller('before'),
    mean: fuller('mean'),
    dead: grid.up.dead.map((dead, i) => dead + grid.down.dead[i]),
  };
}

/** The most that the colours must reach. */
export const fullestOf = (cells) => cells.now.concat(cells.before).reduce((a, b) => Math.max(a, b ?? 0), 1);

/** What a cell says, in words. */
export function describe(grid, cells, { row, column }) {
  const { rows, columns, column_kind: kind } = grid;
  const i = row * columns.length + column;
  const { now, before, mean, dead } = cells;
  const place = `${rows[row].name} · ${columns[column].startsWith('#') ? `${kind} ` : ''}${columns[column]}`;
  if (now[i] === null || now[i] === undefined) return { place, facts: ['no link'] };
  const facts = [`now ${percent(now[i])}`];
  if (before[i] !== null) facts.push(`before ${percent(before[i])}`);
  if (mean[i] !== now[i]) facts.push(`mean ${percent(mean[i])}`);
  if (dead[i] > 0) facts.push(`${plural(dead[i], 'link')} down`);
  return { place, facts };
}

/** @param {{width: number, height: number}} size of the chart */
export function heatMapOption(grid, cells, name, size) {
  const most = fullestOf(cells);
  const { rows, columns, column_kind: kind } = grid;
  const width = columns.length;
  const squares = [];
  const dead = [];
  cells[name].forEach((load, i) => {
    if (load === null) return;
    const place = [i % width, Math.floor(i / width)];
    const lacksLinks = name === 'now' && cells.dead[i] > 0; // states before are not known
    if (lacksLinks && load > 0) dead.push(place);
    const color = lacksLinks && load === 0 ? colors.dead : loadColor(load, most);
    squares.push({ value: [...place, load], visualMap: false, itemStyle: { color } });
  });
  const cellHeight = (size.height - kPad.top - kPad.bottom) / Math.max(1, rows.length);
  const cellWidth = (size.width - kPad.left - kPad.right) / Math.max(1, width);
  const smaller = Math.min(cellHeight, cellWidth);
  const axis = { type: 'category', axisLine: { show: false }, axisTick: { show: false }, splitArea: { show: false } };
  const label = { color: colors.muted, fontSize: 11, width: kPad.left - 12, overflow: 'truncate', hideOverlap: true };
  return {
    ...chartBase(),
    grid: { ...kPad, containLabel: false },
    xAxis: {
      ...axis,
      data: columns,
      axisLabel: { ...label, width: 90 },
      name: kind,
      nameLocation: 'middle',
      nameGap: 22,
      nameTextStyle: { color: colors.muted, fontSize: 11 },
    },
    yAxis: { ...axis, data: rows.map((row) => row.name), inverse: true, axisLabel: label },
    visualMap: { show: false, min: 0, max: most, seriesIndex: 0 },
    tooltip: {
      ...tooltipBase(),
      formatter: ({ value: [column, row] }) => {
        const { place, facts } = describe(grid, cells, { row, column });
        return h('div.tip', {}, h('strong', {}, place), ...facts.map((fact) => h('div', {}, fact)));
      },
    },
    series: [
      {
        type: 'heatmap',
        data: squares,
        progressive: 0,
        itemStyle: { borderColor: colors.panel, borderWidth: smaller > 5 ? 1 : smaller > 3 ? 0.5 : 0 },
        emphasis: { itemStyle: { borderColor: colors.text, borderWidth: 2 } },
      },
      {
        type: 'scatter',
        data: dead,
        silent: true,
        symbol: kCross,
        symbolSize: Math.max(7, Math.min(10, 0.7 * smaller)),
        itemStyle: { color: colors.text, borderColor: colors.panel, borderWidth: 1 },
      },
    ],
  };
}

export function drawLegend(most) {
  const ramp = (from, to) => {
    const bar = h('span.ramp');
    const stops = [0, 0.25, 0.5, 0.75, 1].map((share) => loadColor(from + (to - from) * share, most));
    bar.style.background = `linear-gradient(to right, ${stops.join(',')})`;
    return bar;
  };
  const parts = ['0 %', ramp(0, 1), '100 %'];
  if (most > 1) parts.push(ramp(1.0001, most), percent(most));
  byId('legend').replaceChildren(...parts, h('span.swatch'), 'down', h('span.cross', {}, '×'), 'some down');
}
