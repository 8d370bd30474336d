// How a server is, in a word, and what it does about it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import type { McpServer } from '../server/mcp.ts';

export function Health({ server }: { server: McpServer }) {
  const seconds = useCountdown(server);
  const waits = server.phase === 'WaitingToReconnect';
  const detail =
    waits && seconds > 0
      ? t('waitsToReconnect', { attempt: server.attempt, seconds })
      : server.phase;
  return (
    <span class={`health ${server.health}`}>
      {server.health} <span class="note">{detail}</span>
    </span>
  );
}

/** The pause before attempt n is at most min(30 s, 1 s * 2^n). */
function useCountdown(server: McpServer): number {
  const begin = useRef(0);
  const [now, setNow] = useState(0);
  const waits = server.phase === 'WaitingToReconnect';
  useEffect(() => {
    if (!waits) return;
    begin.current = performance.now();
    setNow(begin.current);
    const timer = setInterval(() => setNow(performance.now()), 500);
    return () => clearInterval(timer);
  }, [waits, server.attempt]);
  const pause = Math.min(30, 2 ** Math.max(0, server.attempt));
  return Math.ceil(pause - (now - begin.current) / 1000);
}
