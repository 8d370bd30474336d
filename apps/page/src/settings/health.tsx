// How a server is, in a word, and what it does about it.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../i18n/text.ts';
import { pauseBefore } from '../server/api.ts';
import type { McpServer } from '../server/mcp.ts';
import { useCountdown } from '../view/countdown.ts';

export function Health({ server }: { server: McpServer }) {
  const { attempt } = server;
  const waits = server.phase === 'WaitingToReconnect';
  const [until, setUntil] = useState(0);
  // The server's pauses are at most as long as the page's own.
  useEffect(() => setUntil(waits ? performance.now() + pauseBefore(attempt) : 0), [waits, attempt]);
  const seconds = useCountdown(until);
  return (
    <span class={`health ${server.health}`}>
      {server.health}{' '}
      <span class="note">{waits && seconds > 0 ? t('waitsToReconnect', { attempt, seconds }) : server.phase}</span>
    </span>
  );
}
