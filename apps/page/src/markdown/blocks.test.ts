import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GrowingBlocks, lex } from './blocks.ts';

const text = [
  '# Head', 'A paragraph with **bold**\nand a second line.', '- one\n- two\n  - three', '```js\nlet a = 1;\n\nlet b;\n```',
  '| a | b |\n|---|---|\n| 1 | 2 |', '> quoted\n> more', '1. first\n2. second', '$$\nx^2\n$$', 'The end.',
].join('\n\n');

test('a text that grows by a character at a time ends as the whole text is read', () => {
  const blocks = new GrowingBlocks();
  for (let n = 1; n < text.length; ++n) blocks.update(text.slice(0, n), false);
  const last = blocks.update(text, true);
  assert.deepEqual(last.map((each) => each.source).join(''), text);
  assert.deepEqual(last.map((each) => each.token.type), lex(text).map((each) => each.type));
});

test('a closed block is the same object for as long as the text grows', () => {
  const blocks = new GrowingBlocks();
  const first = blocks.update('one\n\ntwo\n\nthree\n\nfour', false)[0];
  assert.equal(blocks.update('one\n\ntwo\n\nthree\n\nfour\n\nfive', false)[0], first);
  assert.equal(blocks.update('one\n\ntwo\n\nthree\n\nfour\n\nfive', true)[0], first);
});

test('links that are defined at the end reach the blocks before', () => {
  const blocks = new GrowingBlocks();
  const source = 'See [this][1].\n\ntwo\n\nthree\n\n[1]: https://example.org';
  blocks.update(source, false);
  const [first] = blocks.update(source, true);
  assert.equal((first!.token as { tokens: { type: string }[] }).tokens[1]!.type, 'link');
});

test('another text in place of the first one begins anew', () => {
  const blocks = new GrowingBlocks();
  blocks.update('one\n\ntwo\n\nthree\n\nfour', false);
  assert.equal(blocks.update('other', true)[0]!.source, 'other');
});
