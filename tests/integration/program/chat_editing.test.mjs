// Keys at the prompt of `troupe chat`, by what the model gets: none cuts what is seen as one character.
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { startFakeModel } from '../support/fake_model.mjs';
import { until, within } from '../support/patience.mjs';
import { binary } from '../support/program.mjs';
import { onScreen } from '../support/screen.mjs';
import { configFile, folder, models } from '../support/servers.mjs';

const family = '👨‍👩‍👧‍👦';
const accent = 'e\u0301';

/** What is done, as text to type and [keys] to press, and what is sent then. */
const cases = [
  [[`a${family}`, ['BSpace'], 'b'], 'ab'],
  [['🇯🇵🇰🇷', ['BSpace'], '!'], '🇯🇵!'],
  [['👍🏽👍🏿', ['C-h']], '👍🏽'],
  [[`n${accent}e`, ['Left', 'BSpace'], 'o'], 'noe'],
  [['한국', ['BSpace', 'BSpace'], '\u1112\u1161\u11abx', ['BSpace', 'BSpace'], 'ok'], 'ok'],
  [[`${family}👍🏽!`, ['Left', 'Left', 'DC']], `${family}!`],
  [['7️⃣z❤️‍🔥', ['Home', 'C-d', 'End', 'C-b', 'C-d']], 'z'],
  [[`${family}🇯🇵`, ['Home', 'Right'], '1', ['C-f'], '2'], `${family}1🇯🇵2`],
  [['a น้ำ', ['C-w'], 'b'], 'a b'],
  [[`${accent}t${accent} x`, ['Home', 'M-d', 'End', 'C-y']], `t${accent} x${accent}`],
  [[`${accent} a`, ['Home', 'M-f'], '1', ['C-Left'], '2'], `${accent}21 a`],
  [['क़ा', ['M-b'], '1 '], '1 क़ा'],
  [['one two three', ['C-w'], '3', ['M-b', 'M-b', 'M-d'], '2', ['Home', 'C-Right'], '!'], 'one! 2 3'],
  [['abcdef', ['M-3', 'Left'], 'x', ['M-2', 'C-f'], 'y', ['M-2', 'BSpace', 'Home', 'M-2', 'DC']], 'cxdf'],
  [['a b c d e', ['M-2', 'C-w', 'Home', 'M-2', 'M-d', 'C-y', 'C-y', 'M-2', 'M-b'], '!'], 'a !ba b c '],
  [['x', ['BSpace', 'BSpace', 'C-w', 'DC'], 'y'], 'y'],
  [['abc', ['Left', 'BSpace', 'C-a', 'DC', 'BSpace', 'C-b', 'C-e', 'C-f', 'C-d'], 'd'], 'cd'],
];

test('keys move and delete by what is seen as one character', { timeout: within(120000) }, async (t) => {
  const fake = await startFakeModel(t, () => ({ text: 'Heard.' }));
  const home = folder(t);
  const screen = onScreen(t, binary('troupe'), ['chat', '--data', '', '--config', configFile(t, { models: models(fake.url, ['fake']) })], {
    env: { XDG_DATA_HOME: path.join(home, 'data'), XDG_STATE_HOME: path.join(home, 'state') },
  });
  await screen.shows(/Ctrl-D ends\.\n>/);
  for (const [n, [steps, sent]] of cases.entries()) {
    for (const step of steps) Array.isArray(step) ? screen.presses(...step) : screen.types(step);
    screen.presses('Enter');
    await until(`${JSON.stringify(steps)} is sent`, () => fake.requests.length > n);
    assert.equal(fake.requests[n].messages.at(-1).content, sent, JSON.stringify(steps));
    await until('the next prompt is there', () => screen.text().endsWith('Heard.\n>'));
  }
  screen.presses('C-d');
  await screen.shows(/\[exit 0\]/);
});
