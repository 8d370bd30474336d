import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, ServerError } from './api.ts';

const nothing = { getItem: () => null } as unknown as Storage;
Object.assign(globalThis, { sessionStorage: nothing, localStorage: nothing });

/** Has the server answer like this, one after the other; returns what was asked. */
function answerWith(...answers: Response[]): string[] {
  const asked: string[] = [];
  globalThis.fetch = async (path) => {
    asked.push(String(path));
    return answers.shift()!;
  };
  return asked;
}
const later = (seconds = '0.01') =>
  new Response('{"error":{"code":"rate_limited","message":"Too many requests."}}', {
    status: 429,
    headers: { 'retry-after': seconds },
  });

test('what is only read is read when the server wants it', async () => {
  const asked = answerWith(later(), later(), new Response('good'));
  assert.equal(await (await ask('/a')).text(), 'good');
  assert.equal(asked.length, 3);
});

test('a server that wants to be left alone for long is not waited for', async () => {
  const asked = answerWith(later('61'), new Response('good'));
  await assert.rejects(ask('/a'), { name: 'ServerError', waitMs: 61000 });
  assert.equal(asked.length, 1);
});

test('what changes something is not sent again by itself, and its time to wait is known', async () => {
  const asked = answerWith(later(), new Response('good'));
  await assert.rejects(ask('/a', { method: 'POST' }), (error: ServerError) => {
    assert.deepEqual([error.status, error.message, error.waitMs], [429, 'Too many requests.', 10]);
    return true;
  });
  assert.equal(asked.length, 1);
});

test('an error that is no JSON is told as it is, and an empty one by its status', async () => {
  answerWith(new Response('no such chat\n', { status: 404 }), new Response('', { status: 502 }));
  await assert.rejects(ask('/a'), /^ServerError: no such chat$/);
  await assert.rejects(ask('/a'), /status 502/);
});
