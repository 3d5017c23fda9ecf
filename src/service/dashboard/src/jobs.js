// The jobs: how much slower than alone each is, and what its routes could reach at best.
import { get } from './api.js';
import { showJob } from './detail.js';
import { byId, h } from './dom.js';
import { count, decimal, factor } from './format.js';
import { DataTable, showCount } from './table.js';

function slowdownBar(job) {
  if (job.slowdown === undefined) return '–';
  const bar = h('span.fill');
  bar.style.width = `${Math.min(100, 100 * (1 - 1 / job.slowdown))}%`;
  return h('span.barred', {}, bar, h('span', {}, factor(job.slowdown)));
}

let jobs = [];
const table = new DataTable(byId('jobs'), {
  label: 'Jobs',
  columns: [
    { title: 'Job', text: true, value: (job) => job.id },
    { title: 'Model', text: true, value: (job) => job.model || undefined },
    { title: 'Flows', value: (job) => job.flows, show: (job) => count(job.flows) },
    { title: 'Bound', value: (job) => job.bound, show: (job) => factor(job.bound) },
    { title: 'Bottleneck', value: (job) => job.bottleneck, show: (job) => factor(job.bottleneck) },
    { title: 'Gb/s', value: (job) => job.rate_gbps, show: (job) => decimal(job.rate_gbps, 1) },
    { title: 'Slowdown', value: (job) => job.slowdown, show: slowdownBar },
  ],
  key: (job) => job.id,
  empty: 'No jobs',
  open: (job) => showJob(job.id),
  sort: 6,
  onShown: (shown, matching) => showCount(byId('jobs-count'), shown, matching, jobs.length),
});

function filterJobs() {
  const wanted = byId('jobs-filter').value.trim().toLowerCase();
  table.update(jobs.filter((job) => `${job.id} ${job.model}`.toLowerCase().includes(wanted)));
}
byId('jobs-filter').addEventListener('input', filterJobs);

export async function readJobs() {
  ({ jobs } = await get('/v1/jobs'));
  filterJobs();
}
