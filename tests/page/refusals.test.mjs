// Refusals that pass: the page says how long to wait, keeps everything, and can try again.
import assert from 'node:assert/strict';
import test from 'node:test';
import { startFakeModel } from '../integration/support/fake_model.mjs';
import { until } from '../integration/support/patience.mjs';
import { folder, startTroupe } from '../integration/support/servers.mjs';
import { openPage, parts } from './support/browser.mjs';
import { createKey } from './support/keys.mjs';
import { startServer } from './support/server.mjs';
import { answerWhole } from './support/whole_answer.mjs';

const waiting = /It works again in (\d+) s\./;

test('a model that gets too many requests', { timeout: 280000 }, async (t) => {
  let busy = true;
  const model = await startFakeModel(t, () => ({ text: 'At last.' }), (response, answer, number) => {
    if (!busy) return answerWhole(response, answer, number);
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '300' });
    response.end('{"error": {"message": "slow down", "type": "requests", "code": "rate_limit_exceeded"}}');
  });
  const troupe = await startTroupe(t, {
    models: { fake: { provider: 'openai', base_url: `${model.url}/v1`, model: 'fake', api_key: 'k' } },
  });
  const page = await openPage(t, troupe.url, { settings: { streaming: false } });
  const { box, send, questions, answers } = parts(page);
  const alert = page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Try again' }) });
  const seconds = async () => Number(waiting.exec(await alert.innerText())?.[1]);
  await box.fill('Are you free?');
  await send.click();
  await alert.getByText(/slow down/).waitFor();
  const first = await seconds();
  assert.ok(first > 200 && first <= 300, `${first} s`);
  await until('it is counted down', async () => (await seconds()) < first);
  assert.equal(await questions.count(), 1);
  await page.reload();
  await alert.getByText(waiting).waitFor();
  assert.ok((await seconds()) < first, 'a reload does not begin anew');
  busy = false;
  await alert.getByRole('button', { name: 'Try again' }).click();
  await answers.getByText('At last.').waitFor();
  await alert.waitFor({ state: 'detached' });
  assert.equal(await questions.count(), 1);
});

test('a key with limits', { timeout: 280000 }, async (t) => {
  const data = folder(t);
  const { key: free } = await createKey(data, 'ann');
  const { key: slow } = await createKey(data, 'ann', '--rate', '1');
  const { key: single } = await createKey(data, 'bob', '--turns', '1');
  const troupe = await startServer(t, ['echo', 'paced-20-3000'], { data, auth: { keys: true } });
  const signIn = async (page, key) => {
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await parts(page).box.waitFor();
  };
  const failed = (page) => page.getByRole('alert').filter({ has: page.getByRole('button', { name: 'Try again' }) });

  await t.test('a question that comes too early says when it works again, and stays', async (t) => {
    const page = await openPage(t, troupe.url);
    const { box, send, questions, answers } = parts(page);
    await signIn(page, free);
    await page.getByText('Your chats will be here.').waitFor();
    const use = (key) => page.evaluate((it) => sessionStorage.setItem('troupe.key', it), key);
    await use(slow);
    await until('nothing more is taken', async () =>
      (await fetch(`${troupe.url}/v1/models`, { headers: { authorization: `Bearer ${slow}` } })).status === 429);
    await box.fill('too early');
    await send.click();
    await failed(page).getByText('Too many requests; try again shortly.').waitFor();
    assert.match(await failed(page).innerText(), waiting);
    assert.equal(await questions.count(), 1);
    await use(free);
    await failed(page).getByRole('button', { name: 'Try again' }).click();
    await until('it is answered', async () => /too early/.test(await answers.innerText()));
    assert.equal(await questions.count(), 1);
  });

  await t.test('one turn too many waits for the other', async (t) => {
    const page = await openPage(t, troupe.url, { settings: { model: 'paced-20-3000' } });
    await signIn(page, single);
    await parts(page).box.fill('Count');
    await parts(page).send.click();
    await until('it answers', async () => /\w/.test(await parts(page).answers.innerText()));
    const other = await openPage(t, troupe.url, { settings: { model: 'echo' } });
    await signIn(other, single);
    await parts(other).box.fill('and me?');
    await parts(other).send.click();
    await failed(other).getByText('Too many chats are answering at once').waitFor();
    await parts(page).stop.click();
    await parts(page).send.waitFor();
    await failed(other).getByRole('button', { name: 'Try again' }).click();
    await until('it is answered', async () => /and me/.test(await parts(other).answers.innerText()));
    assert.equal(await parts(other).questions.count(), 1);
  });
});
