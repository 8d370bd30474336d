// `troupe serve` on chats of its own (kept_in.mjs), which it may leave at any moment and come back to.
import assert from 'node:assert/strict';
import { KeptIn } from './kept_in.mjs';
import { settles, until } from './patience.mjs';
import { Program, binary } from './program.mjs';
import { announcement, configFile, endCleanly } from './servers.mjs';

/** One server after the other on the same chats. `url` and `program` are those of the last one; `binary` may name another program. */
export class StoreServer {
  /** @param data a folder, where it has to be one @param through a command that runs another one */
  constructor(t, config, { data, env = {}, args = [], through = [] } = {}) {
    this.kept = config.store === undefined ? new KeptIn(t, data) : { config: {} };
    this.data = this.kept.data;
    this.env = env;
    this.args = args;
    this.through = through;
    this.file = configFile(t, {
      listen: '127.0.0.1:0',
      ...this.kept.config,
      ...config,
      limits: { drainSeconds: 1, ...config.limits },
    });
    t.after(() => this.program?.signal('SIGKILL'));
  }

  /** Starts the program and returns it at once. */
  launch() {
    const [file, ...args] = [...this.through, this.binary ?? binary('troupe'), 'serve', '--config', this.file, ...this.args];
    this.program = new Program(file, args, { env: this.env });
    return this.program;
  }

  /** Resolves with this once it listens. */
  async start() {
    [, this.url] = await this.launch().prints(announcement);
    return this;
  }

  /** Resolves with this once it is ready. */
  async ready() {
    await this.start();
    await until('/readyz answers 200', async () => (await this.get('/readyz')).status === 200, 20000);
    return this;
  }

  /** kill -9. */
  async kill() {
    assert.equal(this.program.ended, undefined, `it lives until then: ${this.program}`);
    this.program.signal('SIGKILL');
    await settles('it is gone', this.program.exit);
  }

  /** Ends it as an operator does; it must end well. */
  stop() {
    return endCleanly(this.program);
  }

  get(path, init) {
    return fetch(this.url + path, init);
  }

  /** Resolves with the JSON of an answer that must have this status. */
  async json(path, { status = 200, method = 'GET', body, headers = {} } = {}) {
    const answer = await this.get(path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    assert.equal(answer.status, status, `${method} ${path}: ${text}`);
    return text ? JSON.parse(text) : undefined;
  }

  /** Resolves with the export of a conversation, or undefined if there is none. */
  async export(id) {
    const answer = await this.get(`/v1/conversations/${encodeURIComponent(id)}/export`);
    const text = await answer.text();
    if (answer.status === 404) return undefined;
    assert.equal(answer.status, 200, text);
    return JSON.parse(text);
  }

  /** Resolves with all pages of the list of conversations. */
  async list(limit = 100) {
    const found = [];
    let cursor = '';
    do {
      const after = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const page = await this.json(`/v1/conversations?limit=${limit}${after}`);
      found.push(...page.conversations);
      cursor = page.next;
    } while (cursor);
    return found;
  }
}
