// The hosts that still have flows on other paths than they should.
import { get } from './api.js';
import { showHost } from './detail.js';
import { byId } from './dom.js';
import { count, time } from './format.js';
import { DataTable, showCount } from './table.js';

const kMost = 200;

/** How many there are; the table holds the first. */
let numBehind = 0;
const table = new DataTable(byId('hosts'), {
  label: 'Hosts behind',
  columns: [
    { title: 'Host', text: true, value: (host) => host.id },
    { title: 'Flows', value: (host) => host.behind, show: (host) => count(host.behind) },
    { title: 'Uses', value: (host) => host.acknowledged, show: (host) => count(host.acknowledged) },
    {
      title: 'Since',
      value: (host) => host.behind_since,
      show: (host) => (host.behind_since ? time(host.behind_since) : '–'),
    },
    { title: 'Pinned', text: true, value: (host) => (host.pinned ? 'pinned' : '') },
  ],
  key: (host) => host.id,
  empty: 'All hosts use the desired routes',
  open: (host) => showHost(host.id),
  sort: 0,
  onShown: (shown) => showCount(byId('hosts-count'), shown, Math.max(shown, numBehind)),
});

export async function readHosts() {
  const [{ hosts }, { health }] = await Promise.all([
    get('/v1/hosts', { behind: true, limit: kMost }),
    get('/v1/status'),
  ]);
  numBehind = health.hosts_behind;
  table.update(hosts);
}
