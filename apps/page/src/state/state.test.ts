import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pauseBefore } from '../server/api.ts';
import { filesIn } from './chat_files.ts';
import { withDraft } from './drafts.ts';
import { chatHref, parseRoute } from './hrefs.ts';

test('addresses name a screen, whatever a chat is called', () => {
  for (const id of ['a', 'a/b', '中文', 'a?b#c', '100%'])
    assert.deepEqual(parseRoute(chatHref(id)), { screen: 'chat', id });
  for (const message of ['m1', 'a/b?c#d', '', '中 文'])
    for (const words of [[], ['one'], ['a&b=c', '50% +', '部署']]) {
      const found = { message, words };
      assert.deepEqual(parseRoute(chatHref('a/b?c', found)), { screen: 'chat', id: 'a/b?c', found });
    }
  assert.deepEqual(parseRoute('#/settings/data'), { screen: 'settings', tab: 'data' });
  assert.deepEqual(parseRoute('#/settings/nothing'), { screen: 'settings', tab: 'servers' });
  for (const bad of ['', '#', '#/', '#/chat', '#/chat/', '#/chat/%', '#/other']) assert.equal(parseRoute(bad), undefined);
});

test('the fifty newest drafts are kept, and an empty one goes', () => {
  let all: [string, string][] = [];
  for (let n = 0; n < 60; ++n) all = withDraft(all, `c${n}`, 'text');
  assert.equal(all.length, 50);
  assert.deepEqual(all.at(-1), ['c59', 'text']);
  assert.ok(!withDraft(all, 'c59', '').some(([id]) => id === 'c59'));
});

test('attempts come after 1, 2, 4 and at most 30 seconds', () => {
  assert.deepEqual([0, 1, 2, 3, 4, 5, 9].map(pauseBefore), [1000, 2000, 4000, 8000, 16000, 30000, 30000]);
});

test('a file has one conversation, or one on each line', () => {
  assert.deepEqual(filesIn('{"a":1}\n{"b":2}\n'), ['{"a":1}', '{"b":2}']);
  const pretty = '{\n  "a": 1\n}\n';
  assert.deepEqual(filesIn(pretty), [pretty]);
});
