// The parts of ECharts that the dashboard uses.
import { HeatmapChart, LineChart, ScatterChart } from 'echarts/charts';
import { AriaComponent, GridComponent, TooltipComponent, VisualMapComponent } from 'echarts/components';
import * as echarts from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';

import { colors } from './theme.js';

echarts.use([
  AriaComponent,
  CanvasRenderer,
  GridComponent,
  HeatmapChart,
  LineChart,
  ScatterChart,
  TooltipComponent,
  VisualMapComponent,
]);

/** @param {HTMLElement} element which keeps its size whatever the chart holds */
export function makeChart(element) {
  const chart = echarts.init(element, null, { renderer: 'canvas' });
  new ResizeObserver(() => chart.resize()).observe(element);
  return chart;
}

/** What all charts share. */
export const chartBase = () => ({
  animation: false,
  textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
});

export const tooltipBase = () => ({
  confine: true,
  transitionDuration: 0,
  backgroundColor: colors.panel,
  borderColor: colors.line,
  padding: 8,
  textStyle: { color: colors.text, fontSize: 12 },
});
