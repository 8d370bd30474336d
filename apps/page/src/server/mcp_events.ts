// What changes about MCP servers, as it comes: GET /v1/mcp/events, followed for as long as the page.
import { ask, pauseBefore } from './api.ts';
import { readEvents, type ServerEvent } from './event_stream.ts';

/** Gets every event, and `begin` whenever the lists must be read anew. */
export interface EventTaker {
  begin: () => void;
  event: (name: string, data: unknown) => void;
}

/** Follows the events until `signal` is aborted; connects again after a pause. */
export async function followMcpEvents(to: EventTaker, signal: AbortSignal): Promise<void> {
  for (let attempt = 0; !signal.aborted; ++attempt) {
    try {
      const answer = await ask('/v1/mcp/events?answers=true', { signal });
      attempt = 0;
      let begun = false; // with the comment that the stream begins with
      await readEvents(answer, (each) => {
        if (each.event !== '') return deliver(each, to);
        if (!begun) to.begin();
        begun = true;
      });
    } catch {
      // The next attempt shows whether it is over.
    }
    await pause(pauseBefore(attempt), signal);
  }
}

function deliver({ event, data }: ServerEvent, to: EventTaker): void {
  if (event === 'lagged') to.begin();
  else to.event(event, JSON.parse(data));
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
