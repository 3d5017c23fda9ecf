// A table that sorts by its headers and opens details from its first column.
import { h, setText } from './dom.js';
import { count } from './format.js';

// More rows than that nobody reads; the filter narrows them.
const kMostRows = 200;

/**
 * @typedef {object} Column
 * @property {string} title
 * @property {(row: any) => any} value what it sorts by
 * @property {(row: any) => Node | string} [show]
 * @property {boolean} [text] left-aligned; sorts upwards first
 */

export class DataTable {
  #columns;
  #options;
  #rows = [];
  #sorted;
  #descending;
  #body = h('tbody');
  #headers;
  #empty;

  /**
   * @param {HTMLElement} parent
   * @param {object} options
   * @param {string} options.label
   * @param {Column[]} options.columns
   * @param {(row: any) => string} options.key
   * @param {string} options.empty what it says without rows
   * @param {(row: any) => void} [options.open]
   * @param {number} [options.sort] a column; without it rows keep their order and headers are plain
   * @param {(shown: number, matching: number) => void} [options.onShown]
   */
  constructor(parent, options) {
    this.#options = options;
    this.#columns = options.columns;
    this.#sorted = options.sort ?? null;
    this.#descending = this.#sorted !== null && !this.#columns[this.#sorted].text;
    this.#headers = this.#columns.map((column, index) => this.#header(column, index));
    this.#empty = h('p.empty.muted', {}, options.empty);
    parent.replaceChildren(
      h('table', { 'aria-label': options.label }, h('thead', {}, h('tr', {}, ...this.#headers)), this.#body),
      this.#empty,
    );
    this.#render();
  }

  update(rows) {
    this.#rows = rows;
    this.#render();
  }

  #header(column, index) {
    const content =
      this.#sorted === null
        ? column.title
        : h('button', { type: 'button', onclick: () => this.#sortBy(index) }, column.title);
    return h(column.text ? 'th.text' : 'th', { scope: 'col' }, content);
  }

  #sortBy(index) {
    this.#descending = this.#sorted === index ? !this.#descending : !this.#columns[index].text;
    this.#sorted = index;
    this.#render();
  }

  #ordered() {
    if (this.#sorted === null) return this.#rows;
    const { value } = this.#columns[this.#sorted];
    const sign = this.#descending ? -1 : 1;
    const compare = (a, b) => {
      const [x, y] = [value(a), value(b)];
      if (x === y) return 0;
      if (x === undefined || y === undefined) return x === undefined ? 1 : -1; // what is not known comes last
      return sign * (typeof x === 'string' ? x.localeCompare(y, 'en', { numeric: true }) : x - y);
    };
    return [...this.#rows].sort(compare);
  }

  #render() {
    this.#headers.forEach((header, index) => {
      if (index === this.#sorted) header.setAttribute('aria-sort', this.#descending ? 'descending' : 'ascending');
      else header.removeAttribute('aria-sort');
    });
    const focused = this.#body.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    const shown = this.#ordered().slice(0, kMostRows);
    this.#body.replaceChildren(...shown.map((row) => this.#row(row)));
    this.#empty.hidden = this.#rows.length > 0;
    if (focused !== undefined)
      this.#body.querySelector(`button[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    this.#options.onShown?.(shown.length, this.#rows.length);
  }

  #row(row) {
    const { open, key } = this.#options;
    const cells = this.#columns.map((column, index) => {
      const content = column.show ? column.show(row) : String(column.value(row) ?? '–');
      const opens = index === 0 && open !== undefined;
      return h(
        column.text ? 'td.text' : 'td',
        {},
        opens ? h('button.link', { type: 'button', 'data-key': key(row), onclick: () => open(row) }, content) : content,
      );
    });
    return h('tr', {}, ...cells);
  }
}

/** "200 of 4,096", where not all rows are shown. */
export function showCount(element, shown, matching, total = matching) {
  const parts = [count(total)];
  if (matching !== total) parts.unshift(`${count(matching)} of`);
  if (shown < matching) parts.push(`· first ${count(shown)}`);
  setText(element, parts.join(' '));
}
