// Counts down to a time.
import { useEffect, useState } from 'preact/hooks';

/** Returns the whole seconds until `until` (as performance.now() has it), 0 when that has passed. */
export function useCountdown(until: number): number {
  const [, look] = useState(0);
  const left = until - performance.now();
  const runs = left > 0;
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => look((n) => n + 1), 500);
    return () => clearInterval(timer);
  }, [until, runs]);
  return runs ? Math.ceil(left / 1000) : 0;
}
