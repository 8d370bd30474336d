// How long tests wait, and waiting for a condition that nothing announces.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** Sanitized binaries are several times slower; every deadline is multiplied by this. */
export const slowness = process.env.TROUPE_SANITIZED ? 4 : 1;

/** True where memory and latency figures mean something. */
export const measures = !process.env.TROUPE_SANITIZED;

/** Returns `milliseconds` as this build of the programs needs them. */
export const within = (milliseconds) => milliseconds * slowness;

/**
 * Returns a function that says what to allow beside a limit, in milliseconds: three times the most that this process has
 * been woken too late since now. What a machine makes this one wait it makes the others wait, too.
 */
export function watchLateness() {
  const resolution = 5;
  const late = monitorEventLoopDelay({ resolution });
  late.enable();
  return () => 3 * Math.max(0, late.max / 1e6 - resolution);
}

/** After how long to look again: a look costs the programs under test time, too. */
const nextLook = (waited) => Math.min(100, Math.max(10, waited / 20));

/**
 * Polls `condition` until it returns something truthy and resolves with that; rejects with `what`
 * and the last value or error after the deadline, which comes later by what this process was woken too late.
 */
export async function until(what, condition, milliseconds = 15000) {
  const began = performance.now();
  let deadline = began + within(milliseconds);
  let last;
  for (;;) {
    try {
      last = await condition();
      if (last) return last;
    } catch (error) {
      last = error;
    }
    const now = performance.now();
    if (now > deadline) {
      throw new Error(`not within ${within(milliseconds)} ms: ${what} (last: ${show(last)})`);
    }
    const rest = nextLook(now - began);
    await pause(rest);
    deadline += 3 * Math.max(0, performance.now() - now - rest - 5); // while the machine did something else
  }
}

/** Rejects with `what` when `promise` does not settle in time. */
export async function settles(what, promise, milliseconds = 10000) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`not within ${within(milliseconds)} ms: ${what}`)),
      within(milliseconds),
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function show(value) {
  return value instanceof Error ? value.message : JSON.stringify(value);
}
