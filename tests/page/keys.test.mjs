// With API keys: signing in, two owners, a key that is revoked.
import assert from 'node:assert/strict';
import test from 'node:test';
import { startFakeModel } from '../integration/support/fake_model.mjs';
import { until } from '../integration/support/patience.mjs';
import { demoServer, folder, startTroupe } from '../integration/support/servers.mjs';
import { ask, openPage, parts } from './support/browser.mjs';
import { handWritten } from './support/hand_written.mjs';
import { createKey, revokeKey } from './support/keys.mjs';

test('with API keys', { timeout: 280000 }, async (t) => {
  const data = folder(t);
  const [alice, bob] = [await createKey(data, 'alice'), await createKey(data, 'bob')];
  const hand = handWritten();
  const model = await startFakeModel(t, ({ messages }) => (messages.at(-1).content === 'Count' ? { byHand: true } : { text: 'So it is.' }), hand.write);
  const troupe = await startTroupe(t, {
    data, auth: { keys: true }, mcpServers: { demo: demoServer() },
    models: { fake: { provider: 'openai', base_url: `${model.url}/v1`, model: 'fake', api_key: 'k' } },
  });
  const signIn = async (page, key) => {
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  await t.test('a wrong key is refused in words, a right one shows what is its owner\'s', async (t) => {
    const page = await openPage(t, troupe.url);
    await signIn(page, 'tk_wrong');
    await page.getByText('The server does not take the key').waitFor();
    await signIn(page, alice.key);
    await ask(page, 'a secret of alice');
    await page.reload();
    await parts(page).answers.waitFor();
    assert.doesNotMatch(page.url(), /tk_/);
    const other = await openPage(t, page.url());
    await signIn(other, bob.key);
    await other.getByText('Your chats will be here.').waitFor();
    assert.equal(await parts(other).answers.count(), 0);
    await other.getByRole('link', { name: 'Settings' }).click();
    await other.getByText('You can look, but not change anything. This takes the API key of an admin.').waitFor();
    await other.getByRole('listitem', { name: 'demo' }).getByRole('button', { name: 'Details' }).click();
    for (const name of ['Add server', 'Retry demo', 'Change demo', 'Remove demo'])
      assert.ok(await other.getByRole('button', { name }).isDisabled(), name);
    assert.ok(await other.getByRole('switch', { name: 'Enable demo' }).isDisabled());
    await other.getByRole('link', { name: 'Data' }).click();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByLabel('API key').waitFor();
  });

  await t.test('a key that is revoked in mid-answer: the answer ends, then a key is asked for', async (t) => {
    const page = await openPage(t, troupe.url);
    const { box, send, answers } = parts(page);
    await signIn(page, bob.key);
    await box.fill('Count');
    await send.click();
    const pen = await hand.begun();
    pen.text('one, two, ');
    await answers.getByText('one, two,').waitFor();
    await box.fill('typed meanwhile');
    const next = await createKey(data, 'bob');
    await revokeKey(data, bob.id);
    await until('the key opens nothing more', async () =>
      (await fetch(`${troupe.url}/v1/models`, { headers: { authorization: `Bearer ${bob.key}` } })).status === 401);
    pen.text('three');
    await answers.getByText('one, two, three').waitFor();
    pen.end('stop');
    await page.getByLabel('API key').waitFor();
    await signIn(page, next.key);
    await answers.getByText('one, two, three').waitFor();
    await until('what was typed is there', async () => (await box.inputValue()) === 'typed meanwhile');
  });
});
