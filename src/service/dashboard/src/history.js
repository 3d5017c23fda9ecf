// Worst job with its bound, and below them the gap, over the revisions that are kept.
import { chartBase, makeChart, tooltipBase } from './charts.js';
import { byId, h } from './dom.js';
import { count, factor, percent, plural, time } from './format.js';
import { colors } from './theme.js';

const kEmptySpan = 60000; // milliseconds
const kMostSymbols = 60;

/** The least round number that is not below x, so that axes divide into four. */
function roundUp(x, least) {
  const unit = 10 ** Math.floor(Math.log10(Math.max(x, least)));
  return unit * [1, 2, 4, 6, 8, 10].find((step) => step * unit >= Math.max(x, least) * (1 - 1e-9));
}

export class HistoryChart {
  #chart = makeChart(byId('history'));
  #revisions = [];

  constructor() {
    byId('history').setAttribute('role', 'img');
  }

  /** @param {object[]} revisions newest first */
  show(revisions) {
    this.#revisions = [...revisions].reverse();
    this.redraw();
  }

  redraw() {
    const last = this.#revisions.at(-1);
    const shown = plural(this.#revisions.length, 'revision');
    byId('history').setAttribute(
      'aria-label',
      last
        ? `Worst job ${factor(last.worst_job)} and gap ${percent(last.gap)} at revision ${last.revision}; ${shown} shown`
        : 'No routes yet',
    );
    const axes = this.#axes();
    this.#chart.setOption(
      {
        ...chartBase(),
        ...axes,
        grid: [
          { left: 52, right: 16, top: 26, height: '44%' },
          { left: 52, right: 16, bottom: 24, height: '20%' },
        ],
        axisPointer: { link: [{ xAxisIndex: 'all' }] },
        tooltip: {
          ...tooltipBase(),
          trigger: 'axis',
          axisPointer: { lineStyle: { color: colors.muted } },
          formatter: (points) => this.#tip(points[0].value[0]),
        },
        series: this.#series(axes.xAxis[0].max),
      },
      true,
    );
  }

  #axes() {
    const revisions = this.#revisions;
    const now = Date.now();
    const label = { color: colors.muted, fontSize: 11 };
    const timeAxis = {
      type: 'time',
      axisLine: { lineStyle: { color: colors.line } },
      axisTick: { show: false },
      splitLine: { show: false },
      min: revisions.length > 0 ? Date.parse(revisions[0].at) : now - kEmptySpan,
      max: now,
    };
    const valueAxis = (gridIndex, name, min, range, parts, formatter) => ({
      gridIndex,
      name,
      min,
      max: min + range,
      interval: range / parts,
      nameGap: 10,
      nameTextStyle: { color: colors.muted, align: 'left' },
      axisLabel: { ...label, formatter },
      splitLine: { lineStyle: { color: colors.line } },
    });
    const most = (value) => roundUp(Math.max(0, ...revisions.map(value)), 0.1);
    const worst = most((revision) => revision.worst_job - 1);
    const gap = most((revision) => revision.gap);
    return {
      xAxis: [
        { ...timeAxis, gridIndex: 0, axisLabel: { show: false } },
        { ...timeAxis, gridIndex: 1, axisLabel: { ...label, hideOverlap: true } },
      ],
      yAxis: [
        valueAxis(0, 'worst job (solid), bound (dashed)', 1, worst, 4, (x) => `${+x.toFixed(3)}×`),
        valueAxis(1, 'gap', 0, gap, 2, (x) => `${+(100 * x).toFixed(1)} %`),
      ],
    };
  }

  /** A step lasts until the next revision; the last one until now. */
  #series(now) {
    const line = (value, more) => {
      const points = this.#revisions.map((revision) => [Date.parse(revision.at), value(revision)]);
      const data = points.length > 0 ? [...points, [now, points.at(-1)[1]]] : [];
      return { type: 'line', step: 'end', symbol: 'none', emphasis: { disabled: true }, data, ...more };
    };
    const showSymbol = this.#revisions.length < kMostSymbols;
    return [
      line((revision) => revision.worst_job, {
        color: colors.accent,
        lineStyle: { width: 2 },
        symbol: 'circle',
        symbolSize: 5,
        showSymbol,
      }),
      line((revision) => revision.worst_job / (1 + revision.gap), {
        color: colors.muted,
        lineStyle: { width: 1, type: 'dashed' },
      }),
      line((revision) => revision.gap, {
        color: colors.accent,
        lineStyle: { width: 1.5 },
        areaStyle: { color: colors['accent-soft'] },
        xAxisIndex: 1,
        yAxisIndex: 1,
      }),
    ];
  }

  #tip(at) {
    const revision = this.#revisions.findLast((each) => Date.parse(each.at) <= at) ?? this.#revisions[0];
    return h(
      'div.tip',
      {},
      h('strong', {}, `Revision ${count(revision.revision)}`),
      h('div', {}, time(revision.at)),
      h('div', {}, `worst job ${factor(revision.worst_job)}, gap ${percent(revision.gap)}`),
      h('div', {}, plural(revision.moves, 'move')),
    );
  }
}
