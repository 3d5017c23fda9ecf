// The dashboard: follows the service's events, and lets the views read anew what they made old.
import '../style.css';
import { follow, get, onTokenWanted } from './api.js';
import { byId, setText } from './dom.js';
import { readHosts } from './hosts.js';
import { readJobs } from './jobs.js';
import { onLoadsWanted, readFullest, readLoads, redrawLoads } from './loads.js';
import { Overview } from './overview.js';
import { Refresher } from './refresh.js';
import { readRevisions, redrawHistory } from './revisions.js';
import { onThemeChange } from './theme.js';

const overview = new Overview();

const kReaders = {
  status: async () => overview.show(await get('/v1/status')),
  loads: readLoads,
  fullest: readFullest,
  jobs: readJobs,
  revisions: readRevisions,
  hosts: readHosts,
};

// What an event makes old. Acknowledgements raise no revision: `health` tells of them. Events that hold the status
// itself need not have it read.
const kAffected = {
  state: ['loads', 'fullest', 'jobs', 'revisions', 'hosts'],
  changed: ['status', 'loads', 'fullest', 'jobs'],
  routed: ['status', 'loads', 'fullest', 'jobs', 'revisions', 'hosts'],
  assessed: ['loads', 'fullest', 'jobs'],
  health: ['hosts'],
};

function showError(error) {
  const isWorthTelling = error !== null && error.status !== 404; // without a fabric there is little to read
  byId('notice').hidden = !isWorthTelling;
  if (isWorthTelling) setText(byId('notice'), error.message);
}

const refresher = new Refresher(kReaders, showError);

onTokenWanted(
  () =>
    new Promise((resolve) => {
      const dialog = byId('login');
      dialog.addEventListener('close', () => resolve(byId('token').value), { once: true });
      dialog.showModal();
    }),
);
onLoadsWanted(() => refresher.want(['loads']));
onThemeChange(() => {
  redrawLoads();
  redrawHistory();
});
follow(
  (name, data) => {
    if (data.health !== undefined) overview.show(data);
    if (name in kAffected) refresher.want(kAffected[name]);
  },
  (isLive) => overview.showConnection(isLive),
);
