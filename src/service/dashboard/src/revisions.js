// The revisions that changed routes: a table, and the course of the score.
import { get } from './api.js';
import { showRevision } from './detail.js';
import { byId } from './dom.js';
import { count, factor, percent, time } from './format.js';
import { HistoryChart } from './history.js';
import { DataTable, showCount } from './table.js';

const kMost = 500;

const history = new HistoryChart();

/** New flows were placed or dead links left, or routes became better, or a change brought other routes. */
function reasonOf({ kind, improvement }) {
  if (kind !== 'routing') return kind.replace('_', ' ');
  return improvement ? 'improvement' : 'placement';
}

const table = new DataTable(byId('revisions'), {
  label: 'Revisions that changed routes',
  columns: [
    {
      title: 'Revision',
      text: true,
      value: (revision) => revision.revision,
      show: (revision) => count(revision.revision),
    },
    { title: 'Time', text: true, value: (revision) => revision.at, show: (revision) => time(revision.at) },
    { title: 'Why', text: true, value: reasonOf },
    { title: 'Moves', value: (revision) => revision.moves, show: (revision) => count(revision.moves) },
    { title: 'Worst job', value: (revision) => revision.worst_job, show: (revision) => factor(revision.worst_job) },
    {
      title: 'Transition',
      value: (revision) => revision.transition.max_utilisation,
      show: (revision) => percent(revision.transition.max_utilisation),
    },
  ],
  key: (revision) => String(revision.revision),
  empty: 'No routes yet',
  open: showRevision,
  onShown: (shown, matching) => showCount(byId('revisions-count'), shown, matching),
});

export async function readRevisions() {
  const { revisions } = await get('/v1/revisions', { limit: kMost });
  history.show(revisions);
  table.update(revisions);
}

export const redrawHistory = () => history.redraw();
