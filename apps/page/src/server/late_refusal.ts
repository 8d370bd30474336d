// A turn that the server refuses when it has begun already, because its chat is another one than was asked for.
import type { UIMessageChunk } from 'ai';
import { ServerError } from './api.ts';

/** Holds an error of a stream back until the stream's end has said which one it is. */
export class LateRefusal {
  private held: UIMessageChunk[] = [];

  /** Returns what goes on. Throws what a refusal before the turn had been: a ServerError with status 412. */
  take(chunk: UIMessageChunk): UIMessageChunk[] {
    if (this.held.length === 0 && chunk.type !== 'error') return [chunk];
    this.held.push(chunk);
    if (chunk.type !== 'finish') return [];
    const [first] = this.held;
    const { error } = (chunk.messageMetadata ?? {}) as { error?: unknown };
    if (error === 'conversation_changed' && first?.type === 'error') throw new ServerError(412, first.errorText);
    return this.left();
  }

  /** Returns what is held back; nothing of the stream comes after it. */
  left(): UIMessageChunk[] {
    return this.held.splice(0);
  }
}
