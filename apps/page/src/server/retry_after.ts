// How long a server or a model wants to be left alone.

/** Reads the value of Retry-After, seconds or a date; returns milliseconds, 0 where it says nothing. */
export function retryAfter(value: string, now = Date.now()): number {
  const seconds = /^\s*(\d+(?:\.\d+)?)(?: s)?\s*$/.exec(value)?.[1];
  const wait = seconds === undefined ? Date.parse(value) - now : Number(seconds) * 1000;
  return wait > 0 ? wait : 0;
}

/** Reads it in the message of a model's error, where the server puts it as "(Retry-After: 3 s)". */
export const retryAfterIn = (message: string): number =>
  retryAfter(/\(Retry-After: ([^)]*)\)/.exec(message)?.[1] ?? '');
