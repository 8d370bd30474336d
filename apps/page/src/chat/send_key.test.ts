import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sends, type SendKey } from './send_key.ts';

const key = (some: Partial<SendKey>): SendKey => ({
  key: 'Enter', keyCode: 13, isComposing: false, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...some,
});

test('Enter sends, with Shift it does not', () => {
  assert.ok(sends(key({}), 'enter'));
  assert.ok(!sends(key({ shiftKey: true }), 'enter'));
  assert.ok(!sends(key({ key: 'a' }), 'enter'));
});

test('Enter that ends the choice of a word does not send', () => {
  assert.ok(!sends(key({ isComposing: true }), 'enter'));
  assert.ok(!sends(key({ keyCode: 229 }), 'enter'));
});

test('where Ctrl+Enter sends, Enter is a line', () => {
  assert.ok(!sends(key({}), 'ctrl-enter'));
  assert.ok(sends(key({ ctrlKey: true }), 'ctrl-enter'));
  assert.ok(sends(key({ metaKey: true }), 'ctrl-enter'));
  assert.ok(!sends(key({ ctrlKey: true, keyCode: 229 }), 'ctrl-enter'));
});
