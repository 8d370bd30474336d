// What a fault costs others: the latencies of a healthy neighbour, and what /proc says.
import assert from 'node:assert/strict';
import { openSync, readFileSync, readSync, readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { childrenOf, residentKiB } from '../processes.mjs';

/** Returns the value below which the part `q` of the values lies. */
export function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
}

/** Calls `echo` of a healthy server again and again while something else goes on. */
export class Neighbour {
  /**
   * @param call calls the server; resolves with {took, error, text}
   * @param pid the program that is tested; its child, the server, is there already
   */
  constructor(call, pid) {
    this.call = call;
    this.threads = new Threads([process.pid, pid, ...childrenOf(pid).map((child) => child.pid)]);
    this.all = [];
  }

  /** One call: how long it took, and how long without what its processes waited for a processor. */
  async #sample() {
    this.threads.list();
    const before = this.threads.waited();
    const { took, error, text } = await this.call();
    assert.equal(error, null, `the neighbour failed: ${JSON.stringify(error)} ${text}`);
    return { took, busy: took - Math.max(0, this.threads.waited() - before) };
  }

  /**
   * Resolves with {value, p99, worst, late}: of `work`, and of the calls beside it, 20 at least.
   * `worst` are the two that took longest without what they waited for a processor, which browsers
   * of other tests take; `late` is the most that this process itself was woken too late meanwhile,
   * in milliseconds.
   */
  async beside(work) {
    const samples = [];
    let late = 0;
    let over = false;
    const running = Promise.resolve(work()).finally(() => (over = true));
    running.catch(() => {}); // it is awaited below, after the last sample
    while (!over || samples.length < 20) {
      samples.push(await this.#sample());
      const begun = performance.now();
      await pause(1);
      late = Math.max(late, performance.now() - begun - 1);
    }
    const took = samples.map((sample) => sample.took);
    this.all.push(...took);
    const worst = samples.map((sample) => sample.busy).sort((a, b) => b - a).slice(0, 2);
    return { value: await running, p99: quantile(took, 0.99), worst, late };
  }

  /** Resolves with the p99 of `count` calls with nothing beside them. */
  async alone(count = 200) {
    const took = [];
    for (let i = 0; i < count; i += 1) {
      took.push((await this.#sample()).took);
      await pause(1);
    }
    return quantile(took, 0.99);
  }
}

/**
 * Fails when calls to a neighbour took too long, in milliseconds: two of them, or one for very long.
 * Each call wakes three processes: what the machine makes this one wait, it may make each of them
 * wait, and one call may meet that alone.
 */
export function assertUnmoved({ worst: [longest, next], late }) {
  const shown = `calls of the neighbour took ${longest} and ${next} ms, this process was late by ${late} ms`;
  assert.ok(next < 100 + 3 * late, shown);
  assert.ok(longest < 400 + 3 * late, shown);
}

/** The threads of processes; their files stay open, since a look at all of them takes longer than the call that it is for. */
class Threads {
  constructor(processes) {
    this.processes = processes;
    this.open = new Map(); // by the name of the file
    this.files = [];
    this.bytes = Buffer.alloc(64);
  }

  /** Takes the threads that there are now. */
  list() {
    this.files = [];
    for (const pid of this.processes) {
      try {
        for (const thread of readdirSync(`/proc/${pid}/task`)) this.files.push(this.#file(`/proc/${pid}/task/${thread}/schedstat`));
      } catch {
        // it ended
      }
    }
  }

  #file(name) {
    if (!this.open.has(name)) this.open.set(name, openSync(name));
    return this.open.get(name);
  }

  /** How long they were ready to run, yet did not, in milliseconds so far. */
  waited() {
    let nanoseconds = 0;
    for (const file of this.files) {
      try {
        const length = readSync(file, this.bytes, 0, this.bytes.length, 0);
        nanoseconds += Number(this.bytes.toString('latin1', 0, length).split(' ')[1]);
      } catch {
        // it ended
      }
    }
    return nanoseconds / 1e6;
  }
}

process.env.TROUPE_DUMPABLE = '1'; // else only root may count the descriptors of a program

/** Returns what a process holds: {descriptors, children, zombies, residentKiB, peakKiB}. */
export function holdings(pid) {
  const children = childrenOf(pid);
  return {
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    children: children.filter((child) => child.state !== 'Z').length,
    zombies: children.filter((child) => child.state === 'Z').length,
    residentKiB: residentKiB(pid),
    peakKiB: Number(readFileSync(`/proc/${pid}/status`, 'utf8').match(/^VmHWM:\s+(\d+)/m)[1]),
  };
}
