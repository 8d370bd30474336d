import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UIMessageChunk } from 'ai';
import { ServerError } from './api.ts';
import { LateRefusal } from './late_refusal.ts';

const error: UIMessageChunk = { type: 'error', errorText: 'why' };
const finish = (code: string): UIMessageChunk => ({ type: 'finish', finishReason: 'error', messageMetadata: { error: code } });

test('a turn that was refused because its chat has changed is as one that never began', () => {
  const late = new LateRefusal();
  assert.deepEqual(late.take({ type: 'start' }), [{ type: 'start' }]);
  assert.deepEqual(late.take(error), []);
  assert.deepEqual(late.take({ type: 'finish-step' }), []);
  assert.throws(() => late.take(finish('conversation_changed')), (it) => it instanceof ServerError && it.status === 412 && it.message === 'why');
});

test('another error goes on with what comes behind it, also where the stream ends with it', () => {
  const late = new LateRefusal();
  assert.deepEqual(late.take(error), []);
  assert.deepEqual(late.take(finish('upstream_failed')), [error, finish('upstream_failed')]);
  assert.deepEqual(late.take(error), []);
  assert.deepEqual(late.left(), [error]);
  assert.deepEqual(late.left(), []);
});
