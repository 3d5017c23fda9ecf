// A service of its own for a test: a free port, a state directory, no waiting.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const kOptions = [
  '--window',
  '1ms',
  '--interval',
  'off',
  '--hold-up',
  '1ms',
  '--time-budget',
  'off',
  '--ack-timeout',
  '1h',
  '--log-json',
];

export class Service {
  #directory;
  #process;
  #token;
  port = 0;

  static async start(token = '') {
    const service = new Service();
    service.#directory = await mkdtemp(join(tmpdir(), 'spineweave-'));
    service.#token = token;
    await service.run();
    return service;
  }

  get address() {
    return `http://127.0.0.1:${this.port}`;
  }

  /** After stop(): the same port and state again. */
  async run() {
    const token = this.#token === '' ? [] : ['--token', this.#token];
    this.#process = spawn(
      process.env.SPINEWEAVE_PROGRAM,
      ['serve', '--listen', `127.0.0.1:${this.port}`, '--state-dir', this.#directory, ...kOptions, ...token],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const child = this.#process;
    process.on('exit', () => child.kill()); // a test that failed ends nothing
    const lines = [this.#process.stdout, this.#process.stderr].map((input) => createInterface({ input }));
    this.port = await new Promise((resolve, reject) => {
      const said = [];
      for (const reader of lines)
        reader.on('line', (line) => {
          said.push(line);
          const port = line.match(/"port": ?(\d+)/);
          if (port) resolve(Number(port[1]));
        });
      this.#process.on('exit', () => reject(new Error(`the service ended: ${said.join('\n')}`)));
    });
  }

  async stop() {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill();
    await ended;
  }

  async end() {
    await this.stop();
    await rm(this.#directory, { recursive: true });
  }

  async ask(method, path, body) {
    const headers = this.#token === '' ? {} : { Authorization: `Bearer ${this.#token}` };
    const response = await fetch(this.address + path, {
      method,
      headers,
      body: typeof body === 'object' ? JSON.stringify(body) : body,
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? null : response.json();
  }

  get(path) {
    return this.ask('GET', path);
  }

  async putRing(name) {
    const { endpoints } = await this.get('/v1/fabric');
    const job = {
      model: 'gpt',
      collectives: [{ kind: 'ring_allreduce', bytes: 1000000, ranks: endpoints.map(({ id }) => id) }],
    };
    return this.ask('PUT', `/v1/jobs/${encodeURIComponent(name)}`, job);
  }
}
