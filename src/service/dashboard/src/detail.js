// A dialog with one table: the links of a job or a switch, the moves of a revision, the detours of a host.
import { byId } from './dom.js';
import { count, decimal, percent, plural } from './format.js';
import { get, segment } from './api.js';
import { DataTable } from './table.js';

const kMost = 200;

const linkColumns = [
  { title: 'Link', text: true, value: (link) => link.id },
  { title: 'State', text: true, value: (link) => link.state },
  { title: 'Gb/s', value: (link) => link.gbps, show: (link) => decimal(link.gbps, 0) },
  { title: 'Before', value: (link) => link.before, show: (link) => percent(link.before) },
  { title: 'Now', value: (link) => link.load, show: (link) => percent(link.load) },
];

/** The switches in order: "leaf-1 › spine-2 › leaf-3"; of parallel cables the number stays. The ends have columns. */
function path(links) {
  if (links.length === 0) return 'no path';
  return links
    .slice(0, -1)
    .map((link) => link.split('->')[1])
    .join(' › ');
}

const flowColumns = [
  { title: 'Job', text: true, value: (flow) => flow.job },
  { title: 'From', text: true, value: (flow) => flow.src },
  { title: 'To', text: true, value: (flow) => flow.dst },
];
const moveColumns = [
  ...flowColumns,
  { title: 'Batch', value: (move) => move.batch },
  { title: 'Old path', text: true, value: (move) => path(move.from) },
  { title: 'New path', text: true, value: (move) => path(move.to) },
];
const detourColumns = [
  ...flowColumns,
  { title: 'Path that it still takes', text: true, value: (flow) => path(flow.links) },
];

/** @param {number} [sort] a column; without it rows keep their order */
async function show(title, columns, sort, read) {
  byId('detail-title').textContent = title;
  byId('detail-note').textContent = 'Loading…';
  const table = new DataTable(byId('detail-body'), { label: title, columns, sort, key: () => '', empty: '' });
  byId('detail').showModal();
  try {
    const { rows, note } = await read();
    table.update(rows);
    byId('detail-note').textContent = note;
  } catch (error) {
    byId('detail-note').textContent = error.message;
  }
}

function showLinks(title, query) {
  return show(title, linkColumns, 4, async () => {
    const { links, of } = await get('/v1/loads/links', { ...query, limit: kMost });
    return {
      rows: links,
      note: links.length < of ? `The ${count(links.length)} fullest of ${plural(of, 'link')}` : plural(of, 'link'),
    };
  });
}

export const showNode = (name) => showLinks(`Links of ${name}`, { node: name });
export const showJob = (id) => showLinks(`Links that job ${id} takes`, { job: id });

export function showRevision({ revision, moves: total }) {
  return show(`Moves of revision ${count(revision)}`, moveColumns, undefined, async () => {
    const { moves, transition } = await get(`/v1/revisions/${revision}`, { limit: kMost });
    const listed = moves.length < total ? `${count(moves.length)} of ${plural(total, 'move')}` : plural(total, 'move');
    const gone = moves.length < Math.min(total, kMost) ? ' (without those of jobs that are gone)' : '';
    const batches = transition.batches === 1 ? '1 batch' : `${count(transition.batches)} batches`;
    const loads = `${percent(transition.max_before)} before, ${percent(transition.max_utilisation)} in transition`;
    return { rows: moves, note: `${listed}${gone} in ${batches}. Fullest link: ${loads}` };
  });
}

export function showHost(id) {
  return show(`Flows of ${id} that still take another path`, detourColumns, 0, async () => {
    const { detours } = await get(`/v1/hosts/${segment(id)}`);
    return { rows: detours, note: plural(detours.length, 'flow') };
  });
}
