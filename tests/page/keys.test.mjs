// With API keys: signing in, two owners, a key that is revoked.
import assert from 'node:assert/strict';
import test from 'node:test';
import { settles, until } from '../integration/support/patience.mjs';
import { Program, binary } from '../integration/support/program.mjs';
import { demoServer, folder } from '../integration/support/servers.mjs';
import { ask, openPage, parts } from './support/browser.mjs';
import { startServer } from './support/server.mjs';

async function keys(data, ...args) {
  const program = new Program(binary('troupe'), ['keys', ...args, '--data', data]);
  assert.equal((await settles('troupe keys', program.exit, 20000)).code, 0, String(program));
  return program.stdout;
}
const createKey = async (data, owner) => JSON.parse(await keys(data, 'create', '--owner', owner, '--json'));

test('with API keys', { timeout: 120000 }, async (t) => {
  const data = folder(t);
  const [alice, bob] = [await createKey(data, 'alice'), await createKey(data, 'bob')];
  const troupe = await startServer(t, ['echo', 'paced-20-200'], { data, auth: { keys: true }, mcpServers: { demo: demoServer() } });
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
    await other.getByRole('button', { name: 'Remove demo' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await other.getByRole('alert').getByText('key of an admin').waitFor();
    await other.getByRole('listitem', { name: 'demo' }).waitFor();
    await other.getByRole('link', { name: 'Data' }).click();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByLabel('API key').waitFor();
  });

  await t.test('a key that is revoked in mid-answer: the answer ends, then a key is asked for', async (t) => {
    const page = await openPage(t, troupe.url, { settings: { model: 'paced-20-200' } });
    const { box, send, answers } = parts(page);
    await signIn(page, bob.key);
    await box.fill('Count');
    await send.click();
    await until('some text came', async () => /\w/.test(await answers.innerText()));
    await keys(data, 'revoke', bob.id);
    await page.getByLabel('API key').waitFor({ timeout: 40000 });
  });
});
