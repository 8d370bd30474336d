// What a fault costs others: the latencies of a healthy neighbour, and what /proc says.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { childrenOf, residentKiB } from '../processes.mjs';

/** Returns the value below which the part `q` of the values lies. */
export function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
}

/** Calls `echo` of a healthy server again and again while something else goes on. */
export class Neighbour {
  /** @param call calls the server; resolves with {took, error, text} */
  constructor(call) {
    this.call = call;
    this.all = [];
  }

  async #sample(into) {
    const { took, error, text } = await this.call();
    assert.equal(error, null, `the neighbour failed: ${JSON.stringify(error)} ${text}`);
    into.push(took);
  }

  /**
   * Resolves with {value, p99, late}: of `work`, and of the calls beside it, 20 at least. `late` is
   * the most that this process itself was woken too late meanwhile, in milliseconds.
   */
  async beside(work) {
    const took = [];
    let late = 0;
    let over = false;
    const running = Promise.resolve(work()).finally(() => (over = true));
    running.catch(() => {}); // it is awaited below, after the last sample
    while (!over || took.length < 20) {
      await this.#sample(took);
      const begun = performance.now();
      await pause(1);
      late = Math.max(late, performance.now() - begun - 1);
    }
    this.all.push(...took);
    return { value: await running, p99: quantile(took, 0.99), late };
  }

  /** Resolves with the p99 of `count` calls with nothing beside them. */
  async alone(count = 200) {
    const took = [];
    for (let i = 0; i < count; i += 1) {
      await this.#sample(took);
      await pause(1);
    }
    return quantile(took, 0.99);
  }
}

/**
 * Fails when calls to a neighbour took too long, in milliseconds. Each call wakes three processes:
 * what the machine makes this one wait, it may make each of them wait.
 */
export function assertUnmoved({ p99, late }) {
  const limit = 100 + 3 * late;
  assert.ok(p99 < limit, `the neighbour's p99 was ${p99} ms, this process was late by ${late} ms`);
}

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
