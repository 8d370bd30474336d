import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pieces } from './pieces.ts';

const texts = {
  words: 'a few words and a longer one '.repeat(300),
  lines: 'line\n'.repeat(2000),
  chinese: '没有空格的很长的文字'.repeat(600),
  'one word': 'x'.repeat(7000),
  emoji: 'x' + '\u{1f600}'.repeat(3000),
};

for (const [name, text] of Object.entries(texts))
  test(`a long text is the same in pieces, and stays so while it grows: ${name}`, () => {
    const whole = pieces(text);
    assert.ok(Array.isArray(whole) && whole.length > 4);
    assert.equal(whole.join(''), text);
    assert.ok(whole.every((each) => each.length <= 1201));
    for (const each of whole) assert.doesNotMatch(each, /[\ud800-\udbff]$|^[\udc00-\udfff]/, 'no character is cut');
    for (let n = 1; n < text.length; n += 97) {
      const some = [pieces(text.slice(0, n))].flat();
      assert.deepEqual(some.slice(0, -1), whole.slice(0, some.length - 1), `at ${n}`);
    }
  });

test('a short text is one piece', () => {
  assert.equal(pieces('short'), 'short');
});
