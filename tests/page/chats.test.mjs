// The list of chats: rename, search, delete, export, import.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { until } from '../integration/support/patience.mjs';
import { ask, openPage, parts } from './support/browser.mjs';
import { dropChat, keepChat } from './support/kept_chat.mjs';
import { startServer } from './support/server.mjs';

/** Drops a file on a part of the page, as a hand does; the browser must not open it. */
async function drop(page, where, name, text) {
  const opened = await page.locator(where).evaluate((it, [name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    const send = (type) => it.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    return [send('dragover'), send('drop')];
  }, [name, text]);
  assert.deepEqual(opened, [false, false]);
}

test('the list of chats', { timeout: 280000 }, async (t) => {
  const troupe = await startServer(t, ['echo'], { limits: { maxConversationsPerOwner: 50 } });
  const page = await openPage(t, troupe.url);
  const { list, answers } = parts(page);
  const link = (name) => list.getByRole('link', { name, exact: true });
  const act = async (title, action) => {
    await link(title).hover();
    await page.getByRole('button', { name: `Actions of ${title}` }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));

  await ask(page, 'about whales');
  const old = `/v1/conversations/${page.url().split('/').at(-1)}`;
  requests.length = 0;
  await page.getByRole('button', { name: 'New chat' }).click();
  await answers.waitFor({ state: 'detached' });
  // The icon may come late, and the chat that was left is read once more when its turn is over.
  // The lists that a page begins with may come late, too.
  const others = ['/page/assets/', '/v1/mcp/', '/v1/models'];
  const asked = requests.filter((url) => !others.some((each) => url.includes(each)) && !url.endsWith(old));
  assert.deepEqual(asked, [], 'a new chat asks nobody');
  await ask(page, '部署方案');
  await until('both are there', async () => (await list.getByRole('link').count()) === 2);

  await t.test('a chat is renamed', async () => {
    await act('about whales', 'Rename');
    await page.getByRole('textbox', { name: 'Title' }).fill('Large animals');
    await page.keyboard.press('Enter');
    await link('Large animals').waitFor();
  });

  await t.test('a chat may have any id, also the name of what every object has', async (t) => {
    const other = await openPage(t, `${troupe.url}/#/chat/constructor`);
    await ask(other, 'under a name');
    await parts(other).answers.waitFor();
    await other.reload();
    await parts(other).answers.waitFor();
    await fetch(`${troupe.url}/v1/conversations/constructor`, { method: 'DELETE' });
  });

  await t.test('words in messages are found, also in Chinese', async () => {
    const box = page.getByRole('searchbox', { name: 'Search conversations' });
    await page.keyboard.press('Control+k');
    await until('it has the focus', () => box.evaluate((it) => it === document.activeElement));
    const found = page.getByRole('list', { name: 'Found' });
    await box.fill('whales');
    await found.getByText('Large animals').waitFor();
    assert.equal(await found.getByRole('listitem').count(), 1);
    await box.fill('署方');
    await found.getByText('部署方案').first().waitFor();
    await box.fill('nowhere');
    await page.getByText('Nothing was found.').waitFor();
    await box.fill('');
    await list.waitFor();
  });

  let saved;
  await t.test('a chat is exported as JSON and as Markdown', async () => {
    const download = page.waitForEvent('download');
    await act('Large animals', 'Export');
    saved = readFileSync(await (await download).path(), 'utf8');
    assert.equal(JSON.parse(saved).info.title, 'Large animals');
    await link('Large animals').click();
    await page.getByRole('heading', { name: 'Large animals' }).waitFor();
    await answers.getByText('about whales').waitFor(); // not those of the chat before
    const text = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Actions of this chat' }).click();
    await page.getByRole('menuitem', { name: 'Save as Markdown' }).click();
    assert.match(readFileSync(await (await text).path(), 'utf8'), /^# Large animals\n\n## You\n\nabout whales/);
  });

  await t.test('a chat is deleted after a question, and an import brings it back', async () => {
    await act('Large animals', 'Delete');
    const dialog = page.getByRole('dialog', { name: 'Delete this chat?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await act('Large animals', 'Delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await link('Large animals').waitFor({ state: 'detached' });
    await answers.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Data' }).click();
    const take = (buffer) => page.locator('input[type=file]').setInputFiles({ name: 'c.json', mimeType: 'application/json', buffer: Buffer.from(buffer) });
    await take('{"format": 1}');
    await page.getByRole('alert').getByText(/format/).waitFor();
    await take(saved);
    await page.getByText('1 chat was taken in.').waitFor();
    await link('Large animals').click();
    await until('it is as it was', async () => /about whales/.test(await answers.innerText()));
  });

  await t.test('a renaming that is given up changes nothing', async () => {
    await act('Large animals', 'Rename');
    await page.getByRole('textbox', { name: 'Title' }).fill('Never');
    await page.keyboard.press('Escape');
    await link('Large animals').waitFor();
    await until('the title has the focus', () => link('Large animals').evaluate((it) => it === document.activeElement));
    const { conversations } = await (await fetch(`${troupe.url}/v1/conversations`)).json();
    assert.deepEqual(conversations.map((each) => each.title).sort(), ['Large animals', '部署方案']);
  });

  await t.test('all chats are exported as one file, and dropped on the page they come back, but for what is broken', async () => {
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Data' }).click();
    await page.getByRole('region', { name: 'Usage' }).getByText(/^2 chats are kept, \d+ K?B\. At most 50 chats may be\.$/).waitFor();
    await page.getByRole('row', { name: /^\d{4}-\d\d-\d\d echo [1-9]\d* [1-9]\d* [1-9]\d*$/ }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export all' }).click();
    const all = readFileSync(await (await download).path(), 'utf8');
    const titles = () => all.trim().split('\n').map((line) => JSON.parse(line).info.title).sort();
    assert.deepEqual(titles(), ['Large animals', '部署方案']);
    for (const title of titles()) {
      await act(title, 'Delete');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await link(title).waitFor({ state: 'detached' });
    }
    await drop(page, '.settings-body', 'all.jsonl', `${all}{"format": "nonsense"}\n`);
    await page.getByRole('alert').getByText(/^2 chats were taken in\. 1 was refused: 3: .*format/).waitFor();
    for (const title of titles()) await link(title).waitFor();
    await link('Large animals').click();
    await until('it is as it was', async () => /about whales/.test(await answers.innerText()));
  });

  await t.test('a file that is dropped anywhere on a chat goes with its question', async () => {
    await drop(page, '.sidebar', 'notes.txt', 'what I noted');
    await page.getByRole('list', { name: 'Attachments' }).getByText('notes.txt').waitFor();
    await page.getByRole('button', { name: 'Remove notes.txt' }).click();
  });

  await t.test('a chat that was changed elsewhere is not overwritten', async () => {
    const { conversations } = await (await fetch(`${troupe.url}/v1/conversations`)).json();
    const { id } = conversations.find((each) => each.title === 'Large animals');
    await fetch(`${troupe.url}/v1/conversations/${id}`, {
      method: 'PATCH', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ title: 'Theirs' }),
    });
    await act('Large animals', 'Rename');
    await page.getByRole('textbox', { name: 'Title' }).fill('Mine');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText(/changed in the meantime/).waitFor();
    await link('Theirs').waitFor();
  });
});

test('more chats than the list shows at first', { timeout: 280000 }, async (t) => {
  const troupe = await startServer(t, ['echo']);
  await keepChat(troupe.url, 'oldest', ['the first question', 'the first answer']);
  for (let n = 0; n < 51; ++n) await keepChat(troupe.url, `chat-${n}`, [`question ${n}`, `answer ${n}`]);

  await t.test('the oldest one has its title and its version as any other', async (t) => {
    const page = await openPage(t, `${troupe.url}/#/chat/oldest`);
    const { answers, list } = parts(page);
    await answers.getByText('the first answer').waitFor();
    await list.getByRole('link', { name: 'chat-50' }).waitFor();
    assert.equal(await list.getByRole('link', { name: 'oldest' }).count(), 0, 'the list does not reach down to it');
    await page.getByRole('heading', { name: 'oldest' }).waitFor();
    await until('the window has it', async () => (await page.title()) === 'oldest - Troupe');
    const turn = page.waitForRequest('**/api/chat');
    await answers.getByRole('button', { name: 'Regenerate' }).click();
    assert.match((await (await turn).allHeaders())['if-match'], /^"v\d+"$/);
    await until('it is made anew', async () => /the first question/.test(await answers.innerText()));
  });

  await t.test('an import leaves out what is there, wherever in the list, and the usage tells of the rest', async (t) => {
    const page = await openPage(t, `${troupe.url}/#/settings/data`);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export all' }).click();
    const all = readFileSync(await (await download).path(), 'utf8');
    await dropChat(troupe.url, 'chat-7');
    await page.reload();
    const usage = page.getByRole('region', { name: 'Usage' });
    await usage.getByText(/^51 chats are kept/).waitFor();
    await drop(page, '.settings-body', 'all.jsonl', all);
    await page.getByText('1 chat was taken in. 51 are here already.').waitFor();
    await usage.getByText(/^52 chats are kept/).waitFor();
  });
});
