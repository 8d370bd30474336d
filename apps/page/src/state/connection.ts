// Whether the server can be reached, and whether it wants a key.
import { ask, pauseBefore, watchServer } from '../server/api.ts';
import { createStore } from './store.ts';

export interface Connection {
  lost: boolean;
  retryAt: number; // when the next attempt comes, as performance.now() has it
  needsKey: boolean;
}

export const connection = createStore<Connection>({ lost: false, retryAt: 0, needsKey: false });

let attempt = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const waiting = new Set<() => void>();

/** Begins to watch; `key` is called when the server wants one. */
export function startConnection(key: () => void): void {
  watchServer(
    () => {
      connection.patch({ needsKey: true });
      key();
    },
    (reachable) => (reachable ? found() : lose()),
  );
}

/** Resolves when the server answers again; at once while it does. */
export function whenReachable(): Promise<void> {
  if (!connection.get().lost) return Promise.resolve();
  return new Promise((resolve) => waiting.add(resolve));
}

/** Asks now instead of later. */
export async function tryNow(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  await ask('/healthz').catch(() => {});
}

function lose(): void {
  if (timer !== undefined) return;
  const pause = pauseBefore(attempt++);
  connection.patch({ lost: true, retryAt: performance.now() + pause });
  timer = setTimeout(() => void tryNow(), pause);
}

function found(): void {
  if (!connection.get().lost) return;
  clearTimeout(timer);
  timer = undefined;
  attempt = 0;
  connection.patch({ lost: false });
  waiting.forEach((each) => each());
  waiting.clear();
}
