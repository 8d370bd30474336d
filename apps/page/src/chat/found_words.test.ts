import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expressionOf, placesIn } from './found_words.ts';

const found = (text: string, ...words: string[]) =>
  placesIn(text, expressionOf(words)!).map(([from, to]) => text.slice(from, to));

test('words are found whole, in any case, and nowhere inside of others', () => {
  assert.deepEqual(found('We went; WE, powered, swe we2 we', 'we'), ['We', 'WE', 'we']);
  assert.deepEqual(found('größer Größe', 'größe'), ['Größe']);
  assert.deepEqual(found('one\n two three', 'one two', 'one'), ['one\n two']);
});

test('in scripts without spaces any part is found, and other words end there', () => {
  assert.deepEqual(found('今天讨论了部署方案', '署方'), ['署方']);
  assert.deepEqual(found('重跑gen-itgc后50条', 'itgc', '50'), ['itgc', '50']);
});

test('what means something in an expression is only text', () => {
  assert.deepEqual(found('a.b axb (c) [d] 1+1', 'a.b', '(c)', '[d]', '1+1'), ['a.b', '(c)', '[d]', '1+1']);
  for (const none of [[], [''], [' ']]) assert.equal(expressionOf(none), undefined);
});
