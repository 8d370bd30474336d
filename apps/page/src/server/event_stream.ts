// Server-sent events read with fetch: an EventSource cannot send a key.

/** One event; `data` is JSON text. */
export interface ServerEvent {
  event: string;
  data: string;
}

/** Cuts a text into events; comments are events without a name. Holds what is not complete. */
export class EventCutter {
  private rest = '';

  /** Returns the events that `piece` completes. */
  take(piece: string): ServerEvent[] {
    const frames = (this.rest + piece).split(/\r?\n\r?\n/);
    this.rest = frames.pop()!;
    return frames.map((frame) => {
      const values = (name: string) =>
        frame
          .split(/\r?\n/)
          .filter((line) => line.startsWith(`${name}:`))
          .map((line) => line.slice(name.length + 1).trimStart());
      return { event: values('event').join(''), data: values('data').join('\n') };
    });
  }
}

/** Calls `take` with each event until the stream ends. */
export async function readEvents(answer: Response, take: (event: ServerEvent) => void) {
  const cutter = new EventCutter();
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    cutter.take(value).forEach(take);
  }
}
