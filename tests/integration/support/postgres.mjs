// A PostgreSQL server of a test's own: in a temporary folder, on a Unix socket there.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, openSync, closeSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { settles, until } from './patience.mjs';

// PostgreSQL refuses root.
const nobody = 65534;
const user = process.getuid() === 0 ? { uid: nobody, gid: nobody } : {};

/** Debian's folder of the newest version; elsewhere the programs are found by PATH. */
function programs() {
  try {
    const folder = '/usr/lib/postgresql';
    const newest = readdirSync(folder).sort((a, b) => Number(a) - Number(b)).at(-1);
    return path.join(folder, newest, 'bin') + path.sep;
  } catch {
    return '';
  }
}

const running = new Set();
process.on('exit', () => running.forEach((server) => server.child?.kill('SIGQUIT')));

export class Postgres {
  /** Makes a server and resolves with it when it takes connections. */
  static async start(t) {
    const server = new Postgres();
    running.add(server);
    t.after(async () => {
      await server.crash();
      running.delete(server);
      rmSync(server.folder, { recursive: true, force: true });
    });
    await server.back();
    return server;
  }

  constructor() {
    this.folder = mkdtempSync(path.join(tmpdir(), 'troupe-pg-'));
    this.data = path.join(this.folder, 'data');
    if (user.uid) chownSync(this.folder, user.uid, user.gid);
    this.run('initdb', ['-D', this.data, '-U', 'troupe', '-A', 'trust', '-E', 'UTF8', '--no-locale',
      '--no-sync']);
    this.url = `postgresql://troupe@/postgres?host=${this.folder}`;
  }

  run(program, args) {
    const done = spawnSync(programs() + program, args, { ...user, cwd: '/', encoding: 'utf8' });
    assert.equal(done.status, 0, `${program}: ${done.error ?? ''}${done.stderr}`);
    return done.stdout;
  }

  /** Starts the process; it takes connections a moment later. */
  launch() {
    const log = openSync(path.join(this.folder, 'log'), 'a');
    this.child = spawn(`${programs()}postgres`, ['-D', this.data, '-k', this.folder,
      '-c', 'listen_addresses=', '-c', 'fsync=off'], { ...user, cwd: '/', stdio: ['ignore', log, log] });
    closeSync(log);
    const { child } = this;
    this.exit = new Promise((resolve) => { child.on('close', resolve); });
  }

  /** Starts it, and resolves when it takes connections. */
  async back() {
    this.launch();
    await until('PostgreSQL takes connections', () => this.sql('SELECT 1') === '1', 20000);
  }

  /** Ends it at once, as a crash does; its data stay. */
  async crash() {
    if (!this.child) return;
    this.child.kill('SIGQUIT');
    await settles('PostgreSQL has ended', this.exit);
    this.child = undefined;
  }

  /** Returns what a statement comes back with, as text. */
  sql(statement) {
    return this.run('psql', ['-h', this.folder, '-U', 'troupe', '-d', 'postgres', '-At', '-c',
      statement]).trim();
  }

  get log() {
    return readFileSync(path.join(this.folder, 'log'), 'utf8');
  }
}
