// Colours of charts: those of the page, which follow the system's light or dark scheme.

const query = matchMedia('(prefers-color-scheme: dark)');
const kNames = [
  'text',
  'muted',
  'line',
  'panel',
  'accent',
  'accent-soft',
  'dead',
  'load-0',
  'load-1',
  'over-0',
  'over-1',
];

/** @returns {Record<string, string>} */
function read() {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(kNames.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

export let colors = read();

/** @param {() => void} redraw */
export function onThemeChange(redraw) {
  query.addEventListener('change', () => {
    colors = read();
    redraw();
  });
}

const channels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
function mix(from, to, share) {
  const [a, b] = [channels(from), channels(to)];
  return `rgb(${a.map((value, i) => Math.round(value + (b[i] - value) * share)).join(',')})`;
}

/** One hue up to a full link; beyond it another, up to the fullest. */
export function loadColor(load, most) {
  if (load <= 1) return mix(colors['load-0'], colors['load-1'], load);
  return mix(colors['over-0'], colors['over-1'], most > 1 ? Math.min(1, (load - 1) / (most - 1)) : 0);
}
