// A value that views follow.
import { useSyncExternalStore } from 'preact/compat';

/** Holds one value; tells its listeners when it is replaced. */
export interface Store<T> {
  get: () => T;
  set: (value: T) => void;
  /** Replaces some members. */
  patch: (some: Partial<T>) => void;
  subscribe: (listener: () => void) => () => void;
}

export function createStore<T>(first: T): Store<T> {
  let value = first;
  const listeners = new Set<() => void>();
  const set = (next: T) => {
    if (Object.is(next, value)) return;
    value = next;
    [...listeners].forEach((each) => each());
  };
  return {
    get: () => value,
    set,
    patch: (some) => set({ ...value, ...some }),
    subscribe: (listener) => (listeners.add(listener), () => listeners.delete(listener)),
  };
}

/** The store's value; the component is rendered again when it changes. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
