// The link-load panel: which part of the fabric the heat maps show, and the fullest links beside them.
import { get } from './api.js';
import { showNode } from './detail.js';
import { byId, h, setText } from './dom.js';
import { count, percent } from './format.js';
import { HeatMaps } from './heatmaps.js';
import { DataTable } from './table.js';

const kFullest = 12;

/** Called when the user wants to see another part: readLoads() is due. */
let onMove = () => {};
export function onLoadsWanted(listener) {
  onMove = listener;
}

/** Where the user is in the fabric: groups within groups of switches. */
let trail = [];
let layer;
const maps = new HeatMaps(openRow, () => goTo(trail.length - 1));

function openRow(row) {
  if (row.count === 1) {
    showNode(row.name);
    return;
  }
  trail.push(row);
  goTo(trail.length);
}

function goTo(depth) {
  if (depth < 0) return;
  trail = trail.slice(0, depth);
  drawTrail();
  onMove();
}

function drawTrail() {
  const steps = [{ name: 'All' }, ...trail];
  byId('trail').replaceChildren(
    ...steps.map((step, depth) =>
      h(
        'li',
        {},
        depth === trail.length
          ? h('span', { 'aria-current': 'location' }, step.name)
          : h('button.link', { type: 'button', onclick: () => goTo(depth) }, step.name),
      ),
    ),
  );
}

export async function readLoads() {
  const part = trail.at(-1);
  const grid = await get('/v1/loads', { layer, first: part?.first, count: part?.count }).catch(async (error) => {
    if (error.status !== 404 || (layer === undefined && trail.length === 0)) throw error;
    layer = undefined; // the fabric is another one, and has no such part
    trail = [];
    drawTrail();
    return get('/v1/loads');
  });
  layer = grid.layer;
  const select = byId('layer');
  select.replaceChildren(
    ...grid.layers.map((name, index) => h('option', { value: index, selected: index === layer }, name)),
  );
  const knowsBefore = grid.up.before.some((load) => load !== null);
  setText(
    byId('before-title'),
    `Before revision ${count(grid.routing_revision)}${knowsBefore ? '' : ': not known after a restart'}`,
  );
  setText(byId('now-title'), `Now · revision ${count(grid.routing_revision)}`);
  maps.show(grid);
}

byId('layer').addEventListener('change', ({ target }) => {
  layer = Number(target.value);
  goTo(0);
});
byId('direction').addEventListener('change', ({ target }) => maps.setDirection(target.value));

const fullest = new DataTable(byId('fullest'), {
  label: 'Fullest links',
  columns: [
    { title: 'Link', text: true, value: (link) => link.id },
    { title: 'Before', value: (link) => link.before, show: (link) => percent(link.before) },
    { title: 'Now', value: (link) => link.load, show: (link) => percent(link.load) },
  ],
  key: (link) => link.id,
  empty: 'No links yet',
  open: (link) => showNode(link.id.split('->')[0]),
});

export async function readFullest() {
  fullest.update((await get('/v1/loads/links', { limit: kFullest })).links);
}

export const redrawLoads = () => maps.redraw();

drawTrail();
