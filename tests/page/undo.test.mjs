// What Undo takes back, and what it must not take: what came after it, and what was never replaced.
import assert from 'node:assert/strict';
import test from 'node:test';
import { startFakeModel } from '../integration/support/fake_model.mjs';
import { until } from '../integration/support/patience.mjs';
import { startTroupe } from '../integration/support/servers.mjs';
import { ask, hold, openPage, parts } from './support/browser.mjs';
import { startServer } from './support/server.mjs';

const idOf = (page) => page.url().split('/').at(-1);
const undo = (page) => page.locator('.notice').getByRole('button', { name: 'Undo' });
const again = (page) => parts(page).answers.last().getByRole('button', { name: 'Regenerate' }).click();
const isBeside = (page) => page.locator('.notice').getByText('The other one was gone on with meanwhile, so it stays.').waitFor();

test('Undo', { timeout: 280000 }, async (t) => {
  const troupe = await startServer(t, ['echo', 'text', 'paced-50-3000']);
  const read = async (id) => (await fetch(`${troupe.url}/v1/conversations/${id}`)).json();
  const kept = async (id) => (await read(id)).messages.filter((each) => each.role === 'user').map((each) => each.parts[0].text);
  const isGone = (id) => until('it is gone', async () => (await read(id)).error?.code === 'conversation_unknown');
  const theirs = async (id) => {
    const answer = await fetch(`${troupe.url}/api/chat`, {
      method: 'POST', body: JSON.stringify({ id, message: { id: 'theirs', role: 'user', parts: [{ type: 'text', text: 'theirs' }] } }),
    });
    assert.ok(answer.ok, await answer.text());
  };

  /** A chat with an answer, whose next one does not end by itself. */
  const begin = async (t) => {
    const page = await openPage(t, troupe.url, { settings: { model: 'text' } });
    await ask(page, 'the one');
    await page.getByRole('combobox', { name: 'Model' }).selectOption('paced-50-3000');
    return { page, id: idOf(page) };
  };
  const isBack = async (page, id) => {
    await isGone(id);
    assert.deepEqual(await kept(idOf(page)), ['the one']);
  };

  await t.test('takes nothing that came after what it takes back', async (t) => {
    const page = await openPage(t, troupe.url);
    await ask(page, 'the one');
    const id = idOf(page);
    const goOn = await hold(page, /\/v1\/conversations(\?|\/[^/]+$)/); // the page hears of nothing that is kept
    await again(page);
    await undo(page).waitFor();
    await until('it is answered again', async () => (await read(id)).lastTurn.state === 'ended');
    await parts(page).send.waitFor();
    await theirs(id);
    goOn();
    await undo(page).click();
    await isBeside(page);
    assert.notEqual(idOf(page), id);
    assert.deepEqual(await kept(id), ['the one', 'theirs']);
    assert.deepEqual(await kept(idOf(page)), ['the one']);
  });

  await t.test('stops an answer that still comes, and the chat that it is in goes', async (t) => {
    const { page, id } = await begin(t);
    await again(page);
    await undo(page).click();
    await until('it is another chat', () => idOf(page) !== id);
    await parts(page).send.waitFor();
    await isBack(page, id);
  });

  await t.test('does so from another chat, too', async (t) => {
    const { page, id } = await begin(t);
    await again(page);
    await undo(page).waitFor();
    await page.getByRole('button', { name: 'New chat' }).click();
    await parts(page).answers.waitFor({ state: 'detached' });
    await undo(page).click();
    await until('it is the chat before', async () => (await parts(page).questions.allInnerTexts()).join().includes('the one'));
    await isBack(page, id);
  });

  await t.test('is offered where the connection broke before the answer began', async (t) => {
    const { page, id } = await begin(t);
    await page.route('**/api/chat', async (route) => {
      await fetch(route.request().url(), { method: 'POST', body: route.request().postData() }); // the turn runs
      await route.abort('connectionreset');
    }, { times: 1 });
    await again(page);
    await undo(page).click();
    await until('it is another chat', () => idOf(page) !== id);
    await isBack(page, id);
  });

  await t.test('leaves a chat that somebody has renamed', async (t) => {
    const page = await openPage(t, troupe.url);
    await ask(page, 'the one');
    const id = idOf(page);
    await again(page);
    await undo(page).waitFor();
    const renamed = await fetch(`${troupe.url}/v1/conversations/${id}`, {
      method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ title: 'Theirs' }),
    });
    assert.ok(renamed.ok);
    await undo(page).click();
    await isBeside(page);
    assert.equal((await read(id)).title, 'Theirs');
    assert.deepEqual(await kept(idOf(page)), ['the one']);
  });

  await t.test('is not offered where the server refuses what was to replace something', async (t) => {
    const page = await openPage(t, troupe.url);
    await ask(page, 'the one');
    const id = idOf(page);
    const goOn = await hold(page, '**/api/chat');
    await again(page);
    await parts(page).stop.waitFor();
    await theirs(id);
    goOn();
    await page.getByRole('alert').getByText('This chat was changed in another place.').waitFor();
    assert.equal(await undo(page).count(), 0);
    assert.deepEqual(await kept(id), ['the one', 'theirs']);
  });
});

test('Undo of an answer that went on with what the page has drawn leaves one chat', { timeout: 280000 }, async (t) => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 2"><rect width="4" height="2"/></svg>';
  const model = await startFakeModel(t, ({ messages }) =>
    messages.at(-1).role === 'tool' ? { text: 'It is drawn.' } : { calls: [{ name: 'display_svg', arguments: { svg } }] });
  const troupe = await startTroupe(t, {
    models: { fake: { provider: 'openai', base_url: `${model.url}/v1`, model: 'fake', api_key: 'k' } },
  });
  const page = await openPage(t, troupe.url);
  const { answers, send, list } = parts(page);
  const isDrawn = () => until('it is drawn', async () => /It is drawn/.test(await answers.last().innerText()), 15000);
  await ask(page, 'draw');
  await isDrawn();
  const id = idOf(page);
  await send.waitFor();
  await again(page);
  await undo(page).waitFor();
  await isDrawn();
  await send.waitFor();
  await undo(page).click();
  await until('it is another chat', () => idOf(page) !== id);
  await isDrawn();
  await until('it is one chat', async () => (await list.getByRole('link', { name: 'draw' }).count()) === 1);
  assert.equal((await (await fetch(`${troupe.url}/v1/conversations`)).json()).conversations.length, 1);
});
