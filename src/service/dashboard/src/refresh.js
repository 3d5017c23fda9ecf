// Reads anew what an event made old: soon, but not more often than eyes can follow, and never twice at a time.

const kSoon = 100;
const kBetween = 1000;

export class Refresher {
  #readers;
  #due = new Set();
  #timer = null;
  #last = 0;
  #running = false;
  #onError;

  /**
   * @param {Record<string, () => Promise<void>>} readers by view
   * @param {(error: Error | null) => void} onError null: all is well again
   */
  constructor(readers, onError) {
    this.#readers = readers;
    this.#onError = onError;
  }

  /** @param {string[]} views */
  want(views) {
    for (const view of views) this.#due.add(view);
    if (this.#running || this.#timer !== null) return;
    const wait = Math.max(kSoon, this.#last + kBetween - performance.now());
    this.#timer = setTimeout(() => this.#run(), wait);
  }

  async #run() {
    this.#timer = null;
    this.#running = true;
    const views = [...this.#due];
    this.#due.clear();
    const results = await Promise.allSettled(views.map((view) => this.#readers[view]()));
    this.#onError(results.find((result) => result.status === 'rejected')?.reason ?? null);
    this.#last = performance.now();
    this.#running = false;
    if (this.#due.size > 0) this.want([]);
  }
}
