// One chat in two tabs: what one changes the other shows before it changes anything itself, and a chat that is gone is
// not begun anew under what is still shown of it.
import assert from 'node:assert/strict';
import test from 'node:test';
import { until } from '../integration/support/patience.mjs';
import { ask, openIn, openPage, parts } from './support/browser.mjs';
import { dropChat } from './support/kept_chat.mjs';
import { startServer } from './support/server.mjs';

const texts = async (page) => (await parts(page).questions.allTextContents()).map((each) => each.trim());
const idOf = (page) => page.url().split('/').at(-1);

/** Sends a question without waiting for what comes of it. */
async function send(page, text) {
  await parts(page).box.fill(text);
  await parts(page).send.click();
}

test('one chat in two tabs', { timeout: 280000 }, async (t) => {
  const troupe = await startServer(t, ['echo', 'text']);
  const read = async (id) => (await fetch(`${troupe.url}/v1/conversations/${id}`)).json();
  const kept = async (id) => (await read(id)).messages.filter((each) => each.role === 'user').map((each) => each.parts[0].text);
  const refusal = (page, words) => page.getByRole('alert').filter({ hasText: words });
  const two = async (t) => {
    const page = await openPage(t, troupe.url);
    await ask(page, 'the one');
    const other = await openIn(page.context(), page.url());
    await parts(other).answers.waitFor();
    return { page, other };
  };

  await t.test('a question waits below what the other tab has asked, and is sent by hand', async (t) => {
    const { page, other } = await two(t);
    await ask(other, 'the other');
    await send(page, 'mine');
    const told = refusal(page, 'your message is not sent yet');
    await told.waitFor();
    await until('all three are shown', async () => (await texts(page)).join() === 'the one,the other,mine');
    assert.deepEqual(await kept(idOf(page)), ['the one', 'the other']);
    await told.getByRole('button', { name: 'Try again' }).click();
    await until('it is answered', async () => /mine/.test(await parts(page).answers.last().innerText()));
    await told.waitFor({ state: 'detached' });
    assert.deepEqual(await texts(page), ['the one', 'the other', 'mine']);
    await ask(page, 'and mine');
    assert.deepEqual(await kept(idOf(page)), ['the one', 'the other', 'mine', 'and mine']);
  });

  await t.test('files of such a question stay with it', async (t) => {
    const { page, other } = await two(t);
    await ask(other, 'the other');
    await page.locator('input[type=file]').setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('what I noted') });
    await page.getByRole('list', { name: 'Attachments' }).getByText('notes.txt').waitFor();
    await send(page, 'with a file');
    await refusal(page, 'your message is not sent yet').getByRole('button', { name: 'Try again' }).click();
    await until('it is answered', async () => /with a file/.test(await parts(page).answers.last().innerText()));
    assert.match(JSON.stringify(await read(idOf(page))), /what I noted/);
  });

  await t.test('a title that another tab has changed keeps no question waiting', async (t) => {
    const { page } = await two(t);
    await fetch(`${troupe.url}/v1/conversations/${idOf(page)}`, {
      method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ title: 'Theirs' }),
    });
    await ask(page, 'mine');
    await until('it is answered', async () => /mine/.test(await parts(page).answers.last().innerText()));
    await page.getByRole('heading', { name: 'Theirs' }).waitFor();
    assert.deepEqual(await kept(idOf(page)), ['the one', 'mine']);
  });

  await t.test('a changed question comes back into the box where even the title is another one', async (t) => {
    const { page } = await two(t);
    await fetch(`${troupe.url}/v1/conversations/${idOf(page)}`, {
      method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ title: 'Theirs' }),
    });
    const { questions, answers, box } = parts(page);
    await questions.hover();
    await questions.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Edit message' }).fill('the one, changed');
    await page.getByRole('button', { name: 'Save and ask' }).click();
    await refusal(page, 'what you wrote is in the box').waitFor();
    await until('it is there', async () => (await box.inputValue()) === 'the one, changed');
    await until('the chat is shown as it is', async () => (await texts(page)).join() === 'the one');
    assert.match(await answers.innerText(), /the one/);
  });

  await t.test('another model that is chosen does not hide what was asked meanwhile', async (t) => {
    const { page, other } = await two(t);
    await ask(other, 'the other');
    await page.getByRole('combobox', { name: 'Model' }).selectOption('echo');
    await until('it is shown', async () => (await texts(page)).join() === 'the one,the other');
  });

  await t.test('one that was changed back by Undo has another id: nothing is asked of the old one', async (t) => {
    const { page, other } = await two(t);
    const id = idOf(page);
    await parts(other).answers.getByRole('button', { name: 'Regenerate' }).click();
    await parts(other).send.waitFor();
    await other.getByRole('button', { name: 'Undo' }).click();
    await until('it is another chat', () => idOf(other) !== id);
    await send(page, 'mine');
    const told = refusal(page, 'This chat is not on the server any more');
    await told.waitFor();
    assert.deepEqual(await texts(page), ['the one', 'mine'], 'what was shown, and what was asked');
    const again = page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.url().endsWith('/api/chat'));
    await told.getByRole('button', { name: 'Try again' }).click();
    await again;
    await told.waitFor();
    await parts(page).answers.getByRole('button', { name: 'Regenerate' }).click();
    await page.locator('.notice').getByText('This chat is not on the server any more').waitFor();
    assert.equal((await read(id)).error.code, 'conversation_unknown');
  });

  await t.test('another model is chosen beside the servers that another place has chosen', async (t) => {
    const { page } = await two(t);
    const overrides = `${troupe.url}/v1/conversations/${idOf(page)}/overrides`;
    const theirs = await fetch(overrides, { method: 'PUT', body: JSON.stringify({ model: null, mcpServers: ['theirs'] }) });
    assert.ok(theirs.ok, await theirs.text());
    await page.getByRole('combobox', { name: 'Model' }).selectOption('text');
    await until('it is chosen', async () => (await (await fetch(overrides)).json()).model === 'text');
    assert.deepEqual(await (await fetch(overrides)).json(), { model: 'text', mcpServers: ['theirs'] });
  });

  await t.test('a chat that is gone on with while its deletion is asked about stays', async (t) => {
    const { page, other } = await two(t);
    const id = idOf(page);
    const begin = async () => {
      await page.locator('li.current').hover();
      await page.locator('li.current').getByRole('button', { name: 'Actions of' }).click();
      const listed = page.waitForResponse((answer) => answer.url().includes('/v1/conversations?limit'));
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await listed;
    };
    const dialog = page.getByRole('dialog', { name: 'Delete this chat?' });
    const agree = () => dialog.getByRole('button', { name: 'Delete' }).click();
    await begin();
    await ask(other, 'the other');
    await agree();
    await page.getByRole('alert').getByText('was changed in another place meanwhile, so it was not deleted').waitFor();
    assert.deepEqual(await kept(id), ['the one', 'the other']);
    await begin();
    await agree();
    await until('it is gone', async () => (await read(id)).error?.code === 'conversation_unknown');
  });

  await t.test('nor is anything asked of one that another place has deleted', async (t) => {
    const { page } = await two(t);
    await dropChat(troupe.url, idOf(page));
    await send(page, 'mine');
    await refusal(page, 'This chat is not on the server any more').waitFor();
    assert.equal((await read(idOf(page))).error.code, 'conversation_unknown');
  });
});
