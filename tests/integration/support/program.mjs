// One running program: its output line by line, its exit, its end.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { settles, within } from './patience.mjs';

const running = new Set();
const homes = mkdtempSync(path.join(tmpdir(), 'troupe-homes-'));
let started = 0;
process.on('exit', () => {
  running.forEach((child) => child.kill('SIGKILL'));
  rmSync(homes, { recursive: true, force: true });
});

/** Returns the path of one of the programs under test. */
export function binary(name) {
  const folder = process.env.TROUPE_BIN;
  if (!folder) throw new Error('TROUPE_BIN must name the folder of the programs under test');
  return path.resolve(folder, name);
}

/**
 * A child process. `stdout` and `stderr` hold everything it has printed so far. What it keeps where
 * it was not told to goes to a `home` of its own, which is gone with the tests of the file.
 */
export class Program {
  constructor(file, args, { env = {}, cwd, input = 'ignore' } = {}) {
    this.name = path.basename(file);
    this.stdout = '';
    this.stderr = '';
    this.watchers = new Set();
    this.home = path.join(homes, String(++started));
    this.child = spawn(file, args, {
      cwd,
      env: { ...process.env, XDG_DATA_HOME: this.home, XDG_STATE_HOME: path.join(this.home, 'state'), ...env },
      stdio: [input, 'pipe', 'pipe'],
    });
    running.add(this.child);
    for (const name of ['stdout', 'stderr']) {
      this.child[name].setEncoding('utf8').on('data', (text) => {
        this[name] += text;
        this.watchers.forEach((watch) => watch());
      });
    }
    this.exit = new Promise((resolve, reject) => {
      this.child.on('error', reject);
      this.child.on('close', (code, signal) => {
        running.delete(this.child);
        this.ended = { code, signal };
        resolve(this.ended);
        this.watchers.forEach((watch) => watch());
      });
    });
    this.exit.catch(() => running.delete(this.child));
  }

  get pid() {
    return this.child.pid;
  }

  /** Resolves with the match once `name` ('stdout' or 'stderr') holds `pattern`. */
  async prints(pattern, { on = 'stdout', milliseconds = 20000 } = {}) {
    const found = new Promise((resolve, reject) => {
      const watch = () => {
        const match = this[on].match(pattern);
        if (match) resolve(match);
        else if (this.ended) reject(new Error(`${this.name} ended without ${pattern}: ${this}`));
        else return;
        this.watchers.delete(watch);
      };
      this.watchers.add(watch);
      this.exit.catch(reject);
      watch();
    });
    try {
      return await settles(`${this.name} prints ${pattern}`, found, milliseconds);
    } catch (error) {
      throw new Error(`${error.message}\n${this}`);
    }
  }

  signal(name) {
    this.child.kill(name);
  }

  /** Ends it with SIGTERM, and after ten seconds with SIGKILL; resolves with {code, signal}. */
  async end() {
    this.child.kill('SIGTERM');
    const force = setTimeout(() => this.child.kill('SIGKILL'), within(10000));
    try {
      return await this.exit;
    } finally {
      clearTimeout(force);
    }
  }

  toString() {
    const state = this.ended ? JSON.stringify(this.ended) : 'running';
    return `[${this.name} ${state}]\nstdout: ${tail(this.stdout)}\nstderr: ${tail(this.stderr)}`;
  }
}

/** Starts a program and runs it to its end; resolves with {code, signal, stdout, stderr}. */
export async function run(file, args, { milliseconds = 20000, input, ...options } = {}) {
  const program = new Program(file, args, { ...options, input: input ? 'pipe' : 'ignore' });
  if (input) program.child.stdin.end(input);
  try {
    const what = `${program.name} ${args.join(' ')} ends`;
    const ended = await settles(what, program.exit, milliseconds);
    return { ...ended, stdout: program.stdout, stderr: program.stderr };
  } catch (error) {
    program.signal('SIGKILL');
    throw new Error(`${error.message}\n${program}`);
  }
}

/** Returns what a sanitizer reported on stderr, or undefined. */
export function sanitizerReport(program) {
  return program.stderr.match(/(ERROR: \w+Sanitizer|runtime error:)[^]*/)?.[0];
}

function tail(text) {
  return text.length > 4000 ? `...${text.slice(-4000)}` : text;
}
