// Numbers and times as people read them.

const whole = new Intl.NumberFormat('en-US');
export const count = (n) => whole.format(n);
export const factor = (x) => (x === undefined || x === null ? '–' : `${x.toFixed(2)}×`);
export const decimal = (x, digits = 2) => (x === undefined || x === null ? '–' : x.toFixed(digits));
export const percent = (x) => {
  if (x === undefined || x === null) return '–';
  const value = 100 * x;
  return `${value !== 0 && Math.abs(value) < 9.95 ? value.toFixed(1) : value.toFixed(0)} %`;
};

export function microseconds(us) {
  if (us < 1000) return `${us.toFixed(0)} µs`;
  return us < 1e6 ? `${(us / 1000).toFixed(us < 1e4 ? 1 : 0)} ms` : `${(us / 1e6).toFixed(1)} s`;
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
export function time(text) {
  const date = new Date(text);
  const today = date.toDateString() === new Date().toDateString();
  return today ? clock.format(date) : `${day.format(date)} ${clock.format(date)}`;
}

/** "1 flow", "2,000 flows" */
export const plural = (n, word) => `${count(n)} ${word}${n === 1 ? '' : 's'}`;
