// A PostgreSQL server of a test's own, or of the tests of a file: in a temporary folder, on a Unix
// socket there.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync, chownSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, renameSync, rmSync,
} from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
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
    this.rest = Buffer.alloc(0);
    this.waiting = [];
    this.socket = net.connect(path.join(folder, '.s.PGSQL.5432'));
    this.socket.on('data', (bytes) => this.#read(bytes)).on('error', (error) => (this.error = error)).on('close', () => {
      this.isOver = true;
      for (const { reject } of this.waiting) reject(this.error ?? new Error('PostgreSQL closed the connection'));
    });
    const names = 'user\0troupe\0database\0postgres\0application_name\0psql\0\0';
    this.first = new Promise((resolve, reject) => this.waiting.push({ resolve, reject, rows: [] }));
    this.first.catch(() => {}); // the statement that waits for it is told, too
    this.socket.write(Buffer.concat([int32(names.length + 8), int32(3 << 16), Buffer.from(names)]));
  }

  /** Resolves with the rows as psql -At shows them. */
  ask(statement) {
    const text = Buffer.from(`${statement}\0`);
    this.socket.ref();
    return new Promise((resolve, reject) => {
      if (this.isOver) return reject(this.error ?? new Error('PostgreSQL closed the connection'));
      this.waiting.push({ resolve, reject, rows: [] });
      this.socket.write(Buffer.concat([Buffer.from('Q'), int32(text.length + 4), text]));
    });
  }

  #read(bytes) {
    this.rest = Buffer.concat([this.rest, bytes]);
    while (this.rest.length >= 5 && this.rest.length > this.rest.readInt32BE(1)) {
      const end = this.rest.readInt32BE(1) + 1;
      this.#take(String.fromCharCode(this.rest[0]), this.rest.subarray(5, end));
      this.rest = this.rest.subarray(end);
    }
  }

  #take(kind, body) {
    const [now] = this.waiting;
    if (kind === 'D') now.rows.push(columnsOf(body).join('|'));
    if (kind === 'E' && now) now.failed = new Error(body.toString().split('\0').join(' '));
    if (kind !== 'Z') return;
    this.waiting.shift();
    if (this.waiting.length === 0) this.socket.unref();
    if (now.failed) now.reject(now.failed);
    else now.resolve(now.rows.join('\n'));
  }
}

const int32 = (value) => Buffer.from(Int32Array.of(value).buffer).swap32();

function columnsOf(body) {
  const columns = [];
  for (let at = 2; at < body.length;) {
    const length = Math.max(0, body.readInt32BE(at)); // -1 is NULL
    columns.push(body.toString('utf8', at + 4, at + 4 + length));
    at += 4 + length;
  }
  return columns;
}

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
