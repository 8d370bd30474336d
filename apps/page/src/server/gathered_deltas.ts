// Arguments of calls come in thousands of small pieces, and useChat reads all that has come so far
// with each of them: it gets larger pieces.
import type { UIMessageChunk } from 'ai';

const pause = 250; // ms between pieces of a call's arguments

/** Joins pieces of arguments; everything else passes in its order. */
export class DeltaGatherer {
  private readonly waiting = new Map<string, string>(); // by the call's id
  private next = 0;

  /** Returns what is to be passed on now that `chunk` has come, at a time in milliseconds. */
  take(chunk: UIMessageChunk, now: number): UIMessageChunk[] {
    if (chunk.type !== 'tool-input-delta') return [...this.flush(), chunk];
    const { toolCallId, inputTextDelta } = chunk;
    this.waiting.set(toolCallId, (this.waiting.get(toolCallId) ?? '') + inputTextDelta);
    if (now < this.next) return [];
    this.next = now + pause;
    return this.flush();
  }

  private flush(): UIMessageChunk[] {
    const all = [...this.waiting].map(([toolCallId, inputTextDelta]) => ({
      type: 'tool-input-delta' as const,
      toolCallId,
      inputTextDelta,
    }));
    this.waiting.clear();
    return all;
  }
}
