// A page's chat: the UIMessages that the AI SDK builds from the streams, and those that are kept.
import assert from 'node:assert/strict';
import { parseJsonEventStream, readUIMessageStream, uiMessageChunkSchema, validateUIMessages } from 'ai';

const plain = (value) => JSON.parse(JSON.stringify(value));

/** Takes what the server adds out of kept messages: createdAt. */
export function withoutTimes(messages) {
  return messages.map(({ metadata: { createdAt, ...rest }, ...message }) => {
    assert.equal(typeof createdAt, 'number');
    return Object.keys(rest).length > 0 ? { ...message, metadata: rest } : message;
  });
}

/** The chat `id` of a server; `messages` is what its page shows. */
export class ShownChat {
  constructor(url, id) {
    Object.assign(this, { url, id, messages: [] });
  }

  /** Sends the whole history and reads the answer; `onChunk` sees each chunk as it comes. */
  async send(body = {}, onChunk = () => {}) {
    const answer = await fetch(`${this.url}/api/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: this.id, messages: this.messages, ...body }),
    });
    if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
    const chunks = parseJsonEventStream({ stream: answer.body, schema: uiMessageChunkSchema })
      .pipeThrough(new TransformStream({
        transform({ success, value, error }, to) {
          if (!success) throw error;
          onChunk(value);
          to.enqueue(value);
        },
      }));
    const last = this.messages.at(-1);
    const goesOn = last?.role === 'assistant';
    let built;
    for await (const state of readUIMessageStream({ message: goesOn ? last : undefined, stream: chunks, onError() {} })) {
      built = state;
    }
    if (goesOn) this.messages.pop();
    // A turn that was stopped before anything came leaves an empty message, which is not kept.
    if (built.parts.length > 0) this.messages.push(plain(built));
    return built.parts.length > 0 ? this.messages.at(-1) : built;
  }

  /** Resolves with the kept messages of this chat, or of `id`. */
  async kept(id = this.id) {
    const answer = await fetch(`${this.url}/v1/conversations/${encodeURIComponent(id)}`);
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    const { messages } = JSON.parse(text);
    await validateUIMessages({ messages });
    return withoutTimes(messages);
  }

  /** Fails unless what is kept is what was shown. */
  async isKept(what = '', id = this.id) {
    assert.deepEqual(await this.kept(id), this.messages, `${what} ${id}`);
  }

  post(path, body) {
    return fetch(`${this.url}${path}`, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
  }

  stop() {
    return this.post(`/api/chat/${encodeURIComponent(this.id)}/stop`, {});
  }
}

/** The tool parts of the last step of an answer. */
export function openParts(message) {
  const from = message.parts.findLastIndex(({ type }) => type === 'step-start');
  return message.parts.slice(from + 1)
    .filter(({ state }) => state === 'input-available' || state === 'approval-requested');
}
