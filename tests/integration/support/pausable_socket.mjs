// Stands between a program and a server, and can cut the line as a network does: nothing comes through, nothing
// is closed, and what was on its way arrives when the line is back.
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const name = '.s.PGSQL.5432'; // as libpq calls the socket in a folder

export class PausableSocket {
  /** Resolves with one that leads to PostgreSQL's socket in that folder; its own is in `folder`. */
  static async start(t, to) {
    const folder = mkdtempSync(path.join(tmpdir(), 'troupe-line-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    return Object.assign(await new PausableSocket({ path: path.join(to, name) }).#listen(t, { path: path.join(folder, name) }), { folder });
  }

  /** Resolves with one that leads to that port of this machine; its own is `port`. */
  static async toPort(t, port) {
    const made = await new PausableSocket({ host: '127.0.0.1', port }).#listen(t, { host: '127.0.0.1', port: 0 });
    return Object.assign(made, { port: made.server.address().port });
  }

  constructor(to) {
    this.isCut = false;
    this.streams = new Set();
    this.server = net.createServer((near) => this.#join(near, net.connect(to)));
  }

  async #listen(t, where) {
    await new Promise((resolve) => this.server.listen(where, resolve));
    t.after(() => {
      for (const each of this.streams) each.destroy();
      this.server.close();
    });
    return this;
  }

  cut() {
    this.isCut = true;
    for (const each of this.streams) each.pause();
  }

  mend() {
    this.isCut = false;
    for (const each of this.streams) each.resume();
  }

  #join(near, far) {
    for (const [from, to] of [[near, far], [far, near]]) {
      this.streams.add(from);
      if (this.isCut) from.pause();
      from.on('data', (bytes) => to.write(bytes));
      if (this.isCut) from.pause(); // a listener has it flow
      from.on('error', () => {}).on('close', () => {
        this.streams.delete(from);
        to.end();
      });
    }
  }
}
