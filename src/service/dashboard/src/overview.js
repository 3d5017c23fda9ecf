// The bar and the numbers above everything else.
import { byId, h, setText } from './dom.js';
import { count, decimal, factor, microseconds, percent, plural } from './format.js';

const certificate = ({ vector, max }) => (vector === 'proved' ? 'optimal' : max === 'proved' ? 'reached' : 'open');

/** @type {[id: string, title: string, show: (status: any) => {value: string, note: string, alert?: boolean}][]} */
const kTiles = [
  [
    'worst-job',
    'Worst job',
    ({ score }) => ({
      value: factor(score?.worst_job),
      note: score ? `bound ${factor(score.lower_bound)}, ${certificate(score.certificate)}` : '',
    }),
  ],
  [
    'gap',
    'Gap to the bound',
    ({ score, jobs }) => ({
      value: percent(score?.gap),
      note: score ? `${count(score.certificate.jobs_at_bound)} of ${plural(jobs, 'job')} at bound` : '',
    }),
  ],
  [
    'efficiency',
    'Network efficiency',
    ({ score }) => ({
      value: decimal(score?.efficiency?.network),
      note: score?.efficiency ? `worst job ${decimal(score.efficiency.worst_job)}` : '',
    }),
  ],
  [
    'fullest',
    'Fullest link',
    ({ score }) => ({
      value: percent(score?.max_utilisation),
      note: 'demand over capacity',
      alert: score?.unreachable_flows > 0,
    }),
  ],
  [
    'links-down',
    'Links down',
    ({ fabric }) => ({
      value: fabric ? count(fabric.links_down) : '–',
      alert: fabric?.links_down > 0,
      note: fabric ? `${count(fabric.links_degraded)} degraded, of ${count(fabric.links)}` : '',
    }),
  ],
  [
    'hosts-behind',
    'Hosts behind',
    ({ health, hosts }) => ({
      value: count(health.hosts_behind),
      note: `${count(health.hosts_pinned)} pinned, of ${count(hosts)}`,
      alert: health.hosts_pinned > 0,
    }),
  ],
  [
    'solve',
    'Last search',
    ({ score }) => ({
      value: score ? microseconds(score.solve_us) : '–',
      note: score ? `${score.backend}${score.truncated ? ', cut short' : ''}` : '',
    }),
  ],
];

export class Overview {
  #tiles = new Map();
  #badges = new Map();

  constructor() {
    byId('tiles').replaceChildren(
      ...kTiles.map(([id, title]) => {
        const value = h('dd.value', { id: `tile-${id}` }, '–');
        const note = h('dd.note.muted', {}, '\u00a0');
        const tile = h('div.tile', {}, h('dt', {}, title), value, note);
        this.#tiles.set(id, { tile, value, note });
        return tile;
      }),
    );
    for (const name of ['revision', 'connection', 'health', 'frozen']) {
      const badge = h('li.badge', { id: `badge-${name}`, hidden: true });
      this.#badges.set(name, badge);
      byId('badges').append(badge);
    }
    byId('badges').setAttribute('aria-live', 'polite');
  }

  show(status) {
    for (const [id, , describe] of kTiles) {
      const { tile, value, note } = this.#tiles.get(id);
      const text = describe(status);
      setText(value, text.value);
      setText(note, text.note || '\u00a0');
      note.title = text.note;
      tile.classList.toggle('alert', Boolean(text.alert));
    }
    const { fabric, score, health } = status;
    setText(
      byId('fabric'),
      fabric
        ? `${plural(fabric.endpoints, 'endpoint')} · ${count(fabric.switches)} switches · ${plural(fabric.links, 'link')}`
        : 'no fabric yet',
    );
    this.#badge('revision', `Revision ${count(status.revision)}`, 'plain');
    this.#badge(
      'frozen',
      status.frozen ? 'Frozen' : '',
      'warn',
      'Routes are not improved; flows still leave dead links',
    );
    const troubles = [
      health.telemetry_stale && 'telemetry silent',
      health.backend_lost && 'GPU lost',
      health.error,
      score?.unreachable_flows > 0 && `${plural(score.unreachable_flows, 'flow')} without a path`,
    ].filter(Boolean);
    this.#badge(
      'health',
      troubles.length > 0 ? `Degraded: ${troubles.join(', ')}` : 'Healthy',
      troubles.length > 0 ? 'bad' : 'good',
      troubles.join('\n'),
    );
  }

  showConnection(isLive) {
    this.#badge('connection', isLive ? 'Live' : 'Reconnecting…', isLive ? 'good' : 'bad');
  }

  #badge(name, text, kind, title = '') {
    const badge = this.#badges.get(name);
    badge.hidden = text === '';
    badge.className = `badge ${kind}`;
    badge.title = title;
    setText(badge, text);
  }
}
