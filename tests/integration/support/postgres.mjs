// A PostgreSQL server of a test's own, or of the tests of a file: in a temporary folder, on a Unix
// socket there.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync, chownSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, renameSync, rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { here, nodesNetwork } from './network.mjs';
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

/** Of processes that have nothing to do in the minute that a test takes, each of which has to start. */
const few = ['autovacuum=off', 'max_logical_replication_workers=0', 'shared_buffers=32MB', 'jit=off', 'max_wal_size=1GB'];

const cache = fileURLToPath(new URL('../node_modules/.cache/troupe', import.meta.url));

/**
 * The files of a new server. To copy them takes a quarter of the time that initdb does, so they are made once, and kept beside the
 * packages of the tests. @param made is called with a program, its arguments and its input where there is nothing to copy
 */
function makeData(folder, programs, made) {
  const args = ['-U', 'troupe', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync', '--wal-segsize=1'];
  const pattern = path.join(cache, `postgres-small${[programs, ...args].join(' ').replace(/\W+/g, '-')}`);
  if (existsSync(pattern)) return copy(pattern, folder);
  made('initdb', ['-D', folder, ...args]);
  made('postgres', ['--single', '-D', folder, '-c', 'fsync=off', 'template1'], withoutSpare);
  return keep(folder, pattern);
}

/** Nobody makes a database from this one: a third of the files. */
const withoutSpare = "UPDATE pg_database SET datistemplate = false WHERE datname = 'template0';\nDROP DATABASE template0;\n";

/** With owners and modes, which PostgreSQL looks at. */
function copy(from, to) {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cp: ${stderr}`);
}

function keep(folder, pattern) {
  const mine = `${pattern}.${process.pid}`;
  mkdirSync(cache, { recursive: true });
  copy(folder, mine);
  try {
    renameSync(mine, pattern);
  } catch { // another test was faster
    rmSync(mine, { recursive: true });
  }
}

/**
 * A connection that stays, on which statements follow each other: psql and a backend of the server for each of them take a hundred
 * times what a statement takes.
 */
class Connection {
  constructor(folder) {
    this.client = new pg.Client({ host: folder, user: 'troupe', database: 'postgres', application_name: 'psql' });
    this.client.on('error', () => {}); // the statement that waits is told, too
    this.client.on('end', () => (this.isOver = true));
    this.opened = this.client.connect();
    this.waiting = 0;
  }

  /** Resolves with the rows as psql -At shows them. */
  async ask(text) {
    this.client.ref();
    this.waiting += 1;
    try {
      await this.opened;
      const results = [await this.client.query({ text, rowMode: 'array', types: asText })].flat();
      return results.flatMap(({ rows }) => rows.map((row) => row.map((value) => value ?? '').join('|'))).join('\n');
    } finally {
      this.waiting -= 1;
      if (this.waiting === 0) this.client.unref(); // it does not keep the process
    }
  }
}

const asText = { getTypeParser: () => String };

const running = new Set();
process.on('exit', () => running.forEach((server) => server.removeNow()));
let common;

export class Postgres {
  /** Makes a server and resolves with it when it takes connections. */
  static async start(t) {
    const server = new Postgres();
    t.after(() => server.remove());
    await server.back();
    return server;
  }

  /** Resolves with a standby of another server, which follows it from now on. */
  static async standby(t, primary) {
    const server = new Postgres({ of: primary });
    t.after(() => server.remove());
    await server.back();
    return server;
  }

  /** Resolves with the server that all tests of this process have in common. */
  static shared() {
    common ??= (async () => {
      const server = new Postgres();
      await server.back();
      server.child.unref(); // it ends with this process
      return server;
    })();
    return common;
  }

  /** @param syncs it waits for the disk, as one in use does; @param of it is a standby of that one; @param settings beside the usual ones */
  constructor({ syncs = false, of, settings = [] } = {}) {
    this.syncs = syncs;
    this.listens = nodesNetwork && !of ? here : ''; // a standby is for those on this machine
    this.settings = [...few, ...settings].flatMap((each) => ['-c', each]);
    this.folder = mkdtempSync(path.join(tmpdir(), 'troupe-pg-'));
    this.data = path.join(this.folder, 'data');
    if (user.uid) chownSync(this.folder, user.uid, user.gid);
    if (of) this.run('pg_basebackup', ['-D', this.data, '-h', of.folder, '-U', 'troupe', '-R', '-c', 'fast', '--no-sync']);
    else makeData(this.data, programs(), (...made) => this.run(...made));
    this.host = nodesNetwork ? here : this.folder;
    if (nodesNetwork) appendFileSync(path.join(this.data, 'pg_hba.conf'), `host all all ${nodesNetwork} trust\n`);
    this.url = this.urlOf('postgres');
    this.made = 0;
    running.add(this);
  }

  urlOf(database) {
    return `postgresql://troupe@/${database}?host=${this.host}`;
  }

  /** Makes a database and returns its name. */
  database() {
    this.made += 1;
    this.sql(`CREATE DATABASE test_${this.made}`);
    return `test_${this.made}`;
  }

  async remove() {
    await this.crash();
    this.removeNow();
  }

  /** The same for who cannot wait. */
  removeNow() {
    if (this.child) spawnSync(`${programs()}pg_ctl`, ['stop', '-D', this.data, '-m', 'immediate'], { ...user, cwd: '/' });
    running.delete(this);
    rmSync(this.folder, { recursive: true, force: true });
  }

  run(program, args, input = '') {
    const done = spawnSync(programs() + program, args, { ...user, cwd: '/', encoding: 'utf8', input });
    assert.equal(done.status, 0, `${program}: ${done.error ?? ''}${done.stderr}`);
    return done.stdout;
  }

  /** Starts the process; it takes connections a moment later. */
  launch() {
    const log = openSync(path.join(this.folder, 'log'), 'a');
    this.child = spawn(`${programs()}postgres`, ['-D', this.data, '-k', this.folder,
      '-c', `listen_addresses=${this.listens}`, '-c', `fsync=${this.syncs ? 'on' : 'off'}`, ...this.settings], { ...user, cwd: '/', stdio: ['ignore', log, log] });
    closeSync(log);
    const { child } = this;
    this.exit = new Promise((resolve) => { child.on('close', resolve); });
  }

  /** Starts it, and resolves when it takes connections, which it says in the last line of a file, and has taken one. */
  async back() {
    const file = path.join(this.data, 'postmaster.pid');
    rmSync(file, { force: true }); // that of a crash
    this.launch();
    const state = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n')[7]?.trim() : undefined);
    await until('PostgreSQL takes connections', () => state() === 'ready' || assert.fail(`${state()}: ${this.log}`), 20000);
    this.connection = undefined; // that before a crash
    assert.equal(await this.ask('SELECT 1'), '1');
  }

  /** Ends it at once, as a crash does; its data stay. */
  crash() {
    return this.#end('SIGQUIT');
  }

  /** Ends it as an operator does who does not wait for its clients; its data stay. */
  stop() {
    return this.#end('SIGINT');
  }

  /** Has a standby take writes. */
  promote() {
    this.run('pg_ctl', ['promote', '-D', this.data]);
  }

  /** Resolves when each commit waits for a standby that is there. */
  async waitForStandby() {
    this.sql("ALTER SYSTEM SET synchronous_standby_names = '*'");
    this.sql('SELECT pg_reload_conf()');
    await until('the standby is synchronous', () => this.sql('SELECT sync_state FROM pg_stat_replication') === 'sync');
  }

  async #end(signal) {
    if (!this.child) return;
    this.child.kill(signal);
    await settles('PostgreSQL has ended', this.exit);
    this.child = undefined;
  }

  /** Returns what a statement comes back with, as text. */
  sql(statement, database = 'postgres') {
    return this.run('psql', ['-h', this.folder, '-U', 'troupe', '-d', database, '-At', '-c',
      statement]).trim();
  }

  /** The same beside other work of the test. */
  ask(statement) {
    if (!this.connection || this.connection.isOver) this.connection = new Connection(this.folder);
    return this.connection.ask(statement);
  }

  /** A session of psql, whose statements come over its standard input. */
  session() {
    const args = ['-h', this.folder, '-U', 'troupe', '-d', 'postgres', '-At'];
    return spawn(`${programs()}psql`, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  }

  get log() {
    return readFileSync(path.join(this.folder, 'log'), 'utf8');
  }
}
