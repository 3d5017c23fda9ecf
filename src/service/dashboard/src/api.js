// The service's API: requests with the token that the user gave, and its event stream.

const kTokenKey = 'spineweave-token';
const kFirstDelay = 1000;
const kLongestDelay = 15000;

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** @type {() => Promise<string>} asks the user */
let askForToken = () => Promise.reject(new ApiError(401, 'no token'));
/** @type {Promise<string> | null} */
let asking = null;

export function onTokenWanted(ask) {
  askForToken = ask;
}

function authorization() {
  const token = sessionStorage.getItem(kTokenKey);
  return token ? { Authorization: `Bearer ${token}` } : {};
}

async function request(path, options = {}) {
  for (;;) {
    const response = await fetch(path, { ...options, headers: { ...options.headers, ...authorization() } });
    if (response.ok) return response;
    if (response.status !== 401) {
      const problem = await response.json().catch(() => ({}));
      throw new ApiError(response.status, problem.detail ?? `${path}: ${response.status}`);
    }
    asking ??= askForToken().finally(() => (asking = null));
    sessionStorage.setItem(kTokenKey, await asking);
  }
}

/** @param {string} path @param {Record<string, string | number | undefined>} [query] */
export async function get(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return (await request(text ? `${path}?${text}` : path)).json();
}

export const segment = encodeURIComponent;

/** Splits a stream of server-sent events. */
class EventParser {
  #rest = '';

  /** @returns {{event: string, data: string}[]} */
  push(text) {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.map((block) => {
      const lines = block
        .split('\n')
        .map((line) => line.match(/^(\w+): ?(.*)$/))
        .filter((match) => match !== null);
      return Object.fromEntries(lines.map(([, field, value]) => [field, value]));
    });
  }
}

/**
 * Follows /v1/events for good, and connects anew when the stream ends. (The browser's EventSource cannot send a token.)
 * @param {(name: string, data: any) => void} onEvent
 * @param {(isLive: boolean) => void} onState
 */
export async function follow(onEvent, onState) {
  let delay = kFirstDelay;
  for (;;) {
    try {
      const response = await request('/v1/events', { headers: { Accept: 'text/event-stream' } });
      const parser = new EventParser();
      onState(true);
      delay = kFirstDelay;
      for await (const chunk of chunks(response.body.pipeThrough(new TextDecoderStream())))
        for (const { event, data } of parser.push(chunk)) if (event && data) onEvent(event, JSON.parse(data));
    } catch {
      // The service is away: the state says so, and it may come back.
    }
    onState(false);
    await new Promise((resolve) => setTimeout(resolve, delay));
    delay = Math.min(2 * delay, kLongestDelay);
  }
}

async function* chunks(stream) {
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
}
