import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UIMessageChunk } from 'ai';
import { DeltaGatherer } from './gathered_deltas.ts';

const delta = (toolCallId: string, inputTextDelta: string): UIMessageChunk => ({
  type: 'tool-input-delta',
  toolCallId,
  inputTextDelta,
});
const text: UIMessageChunk = { type: 'text-delta', id: 't', delta: 'x' };

test('pieces of arguments are joined, a first one passes at once', () => {
  const gatherer = new DeltaGatherer();
  assert.deepEqual(gatherer.take(delta('a', '{'), 1000), [delta('a', '{')]);
  assert.deepEqual(gatherer.take(delta('a', '"x'), 1010), []);
  assert.deepEqual(gatherer.take(delta('b', '[1'), 1020), []);
  assert.deepEqual(gatherer.take(delta('a', '":1'), 1030), []);
  assert.deepEqual(gatherer.take(delta('b', ']'), 1260), [delta('a', '"x":1'), delta('b', '[1]')]);
});

test('what is no piece of arguments passes at once, behind the pieces before it', () => {
  const gatherer = new DeltaGatherer();
  gatherer.take(delta('a', '{'), 1000);
  gatherer.take(delta('a', '}'), 1001);
  const available: UIMessageChunk = { type: 'tool-input-available', toolCallId: 'a', toolName: 'x', input: {} };
  assert.deepEqual(gatherer.take(available, 1002), [delta('a', '}'), available]);
  assert.deepEqual(gatherer.take(text, 1003), [text]);
});

test('every piece comes through, whatever comes between', () => {
  const gatherer = new DeltaGatherer();
  const out: UIMessageChunk[] = [];
  for (let n = 0; n < 500; ++n) out.push(...gatherer.take(n % 50 === 49 ? text : delta(n % 2 ? 'a' : 'b', `${n},`), n * 7));
  out.push(...gatherer.take(text, 9999));
  const all = out.map((each) => (each.type === 'tool-input-delta' ? each.inputTextDelta : '')).join('');
  const numbers = all.split(',').filter(Boolean).map(Number);
  assert.equal(numbers.length, 490);
  assert.equal(new Set(numbers).size, 490);
  assert.ok(out.length < 100, `${out.length} pieces`);
});
