// Chats that the server has before a page is opened.
import assert from 'node:assert/strict';

/** Keeps a chat with the given texts, asked and answered by turns; the n-th has the id `m<n>`, or none. */
export async function keepChat(url, id, texts, { withIds = true } = {}) {
  const messages = texts.map((text, n) => ({
    message: { role: n % 2 ? 'assistant' : 'user', text, ...(withIds ? { id: `m${n}` } : {}) },
  }));
  const body = JSON.stringify({ format: 'troupe.conversation', version: 1, info: { id, title: id }, messages });
  const answer = await fetch(`${url}/v1/conversations/import`, { method: 'POST', body });
  assert.ok(answer.ok, await answer.text());
}

/** Deletes a chat, as another tab or program does. */
export async function dropChat(url, id) {
  const answer = await fetch(`${url}/v1/conversations/${id}`, { method: 'DELETE' });
  assert.ok(answer.ok, await answer.text());
}
