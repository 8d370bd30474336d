// Files that were sent to the server for a question that is not asked: they go with the chat, and with the page.
import assert from 'node:assert/strict';
import test from 'node:test';
import { until } from '../integration/support/patience.mjs';
import { ask, hold, openPage, parts } from './support/browser.mjs';
import { startServer } from './support/server.mjs';

const paper = (name) => ({ name, mimeType: 'application/pdf', buffer: Buffer.from(`%PDF-1.4 ${name}`) });
const idOf = (page) => page.url().split('/').at(-1);

test('files that were chosen', { timeout: 280000 }, async (t) => {
  const troupe = await startServer(t, ['echo']);
  const files = async () => (await (await fetch(`${troupe.url}/v1/files`)).json()).data.map((each) => each.filename).sort();
  const begin = async (t) => {
    for (const { url } of (await (await fetch(`${troupe.url}/v1/files`)).json()).data) await fetch(troupe.url + url, { method: 'DELETE' });
    const page = await openPage(t, troupe.url);
    const list = page.getByRole('list', { name: 'Attachments' });
    const choose = (...names) => page.locator('input[type=file]').setInputFiles(names.map(paper));
    const sent = async (...names) => {
      const before = (await files()).length;
      await choose(...names);
      await until('they are kept', async () => (await files()).length === before + names.length);
      await until('the page knows', async () => (await list.getByRole('progressbar').count()) === 0);
    };
    const drop = async () => {
      await page.locator('li.current').hover();
      await page.locator('li.current').getByRole('button', { name: 'Actions of' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await list.waitFor({ state: 'detached' });
    };
    return { page, list, choose, sent, drop };
  };

  await t.test('go with the chat that is deleted; those that a branch has stay', async (t) => {
    const { page, sent, drop } = await begin(t);
    await sent('asked.pdf');
    await ask(page, 'about this');
    const made = await fetch(`${troupe.url}/v1/conversations/${idOf(page)}/branch`, { method: 'POST', body: '{}' });
    assert.ok(made.ok, await made.text());
    await sent('one.pdf', 'two.pdf');
    await drop();
    await until('they are gone', async () => (assert.deepEqual(await files(), ['asked.pdf']), true));
  });

  await t.test('are not even sent where that happens before it was their turn', async (t) => {
    const { page, list, choose, drop } = await begin(t);
    await ask(page, 'a chat');
    const asked = [];
    page.on('request', (it) => it.url().includes('/v1/files?') && asked.push(new URL(it.url()).searchParams.get('filename')));
    const goOn = await hold(page, '**/v1/files?*');
    await choose('one.pdf', 'two.pdf');
    await until('both are listed', async () => (await list.getByRole('listitem').count()) === 2);
    await drop();
    goOn();
    await ask(page, 'another chat');
    assert.deepEqual(asked, ['one.pdf']);
    assert.deepEqual(await files(), []);
  });

  const areGone = async () => (assert.deepEqual(await files(), []), true);
  await t.test('go with the page', async (t) => {
    const { page, list, sent } = await begin(t);
    await sent('one.pdf');
    await page.getByRole('button', { name: 'New chat' }).click();
    await list.waitFor({ state: 'detached' });
    await sent('one.pdf', 'two.pdf');
    await page.reload();
    await until('they are gone', areGone);
  });

  await t.test('go with the next page where their deletion is lost with this one', async (t) => {
    const { page, sent } = await begin(t);
    await sent('one.pdf', 'two.pdf');
    await page.evaluate(() => (window.fetch = () => Promise.reject(new TypeError('the page is gone'))));
    await page.reload();
    await until('they are gone', areGone);
    assert.equal(await page.evaluate(() => localStorage['troupe.left_files']), '[]');
  });

  const ways = {
    'by a button and back': async (page) => {
      await page.getByRole('button', { name: 'New chat' }).click();
      await page.getByRole('heading', { name: 'a chat' }).waitFor({ state: 'detached' });
      await page.goBack();
    },
    'and is there again before the page is told': (page) =>
      page.evaluate(() => {
        const here = location.hash;
        location.hash = '#/chat/elsewhere';
        location.hash = here;
      }),
  };
  for (const [way, leave] of Object.entries(ways))
    await t.test(`come back with a question that did not arrive to who leaves ${way}, and go with its chat`, async (t) => {
      const { page, list, sent, drop } = await begin(t);
      const { box, send, questions } = parts(page);
      await ask(page, 'a chat');
      await sent('one.pdf');
      await page.route('**/api/chat', (route) => route.abort());
      await box.fill('lost');
      await send.click();
      await page.getByRole('alert').getByText('The connection broke before the server had the message.').waitFor();
      await page.unroute('**/api/chat');
      await leave(page);
      await list.getByText('one.pdf').waitFor();
      assert.equal(await box.inputValue(), 'lost');
      await until('it stands nowhere else', async () => (await questions.allTextContents()).join() === 'a chat');
      await drop();
      await until('it is gone', areGone);
    });

  await t.test('stay where the answer is taken back by Undo, those that were asked with and those that were not', async (t) => {
    const { page, list, sent } = await begin(t);
    const { answers, send, questions, box } = parts(page);
    await sent('asked.pdf');
    await ask(page, 'about this');
    const before = idOf(page);
    await sent('next.pdf');
    await answers.getByRole('button', { name: 'Regenerate' }).click();
    await send.waitFor();
    await box.fill('and then');
    await until('it is kept', () => page.evaluate(() => JSON.stringify(localStorage).includes('and then')));
    await page.getByRole('button', { name: 'Undo' }).click();
    await until('it is another chat', () => idOf(page) !== before);
    await list.getByText('next.pdf').waitFor();
    await until('so is the draft', async () => (await box.inputValue()) === 'and then');
    await send.click();
    await until('it is asked', async () => (await questions.count()) === 2);
    await send.waitFor();
    assert.deepEqual(await files(), ['asked.pdf', 'next.pdf']);
  });
});
