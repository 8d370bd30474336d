// What the search of chats finds is gone to: the message itself, wherever it is.
import assert from 'node:assert/strict';
import test from 'node:test';
import { until } from '../integration/support/patience.mjs';
import { assertAccessible } from './support/axe.mjs';
import { ask, openIn, openPage, parts } from './support/browser.mjs';
import { dropChat, keepChat } from './support/kept_chat.mjs';
import { startServer } from './support/server.mjs';

const long = Array.from({ length: 650 }, (_, n) => `Message number ${n}, which has some more words than one line of a narrow window takes.`);
long[100] = 'Herons stand still. A **heron** waits.';
long[301] = `${Array.from({ length: 120 }, (_, n) => `Line ${n} of a long answer.`).join('\n\n')}\n\nA kingfisher at last.\n\n\`\`\`js\nlet kingfisher;\n\`\`\``;
long[500] = '今天讨论了部署方案。';

/** What a reader sees of the search, and what a hit has led to. */
function sightOf(page) {
  const box = page.getByRole('searchbox', { name: 'Search conversations' });
  const found = page.getByRole('list', { name: 'Found' });
  const { log } = parts(page);
  const marked = log.locator('article[aria-current=true]');
  return {
    box,
    found,
    marked,
    link: (text) => found.getByRole('link').filter({ hasText: text }),
    /** Just these words are marked. */
    marks: (...words) => until(`marked is: ${words}`, async () => {
      const found = await page.evaluate(() => [...(CSS.highlights.get('found') ?? [])].map(String));
      return found.join() === words.join() || assert.fail(found.join());
    }),
    /** The message is marked, has the focus, and stands in view, where it stays. */
    async shows(id) {
      const place = () => marked.evaluate((it) => {
        const view = it.closest('.log').getBoundingClientRect();
        const { top, bottom } = it.getBoundingClientRect();
        return { id: it.dataset.id, isFocused: it === document.activeElement, isSeen: top < view.bottom - 10 && bottom > view.top + 10, top };
      });
      let last;
      await until(`${id} is shown`, async () => {
        const before = last?.top;
        last = await place();
        return (last.id === id && last.isFocused && last.isSeen && last.top === before) || assert.fail(JSON.stringify(last));
      }, 20000);
    },
  };
}

test('what a search finds', { timeout: 280000 }, async (t) => {
  const { url } = await startServer(t, ['echo']);
  await keepChat(url, 'long', long);
  await keepChat(url, 'short', ['What is a heron?', 'A bird, and no kingfisher.']);
  await keepChat(url, 'nameless', ['first', 'second', 'a bittern, without an id', 'fourth'], { withIds: false });
  await keepChat(url, 'many', Array.from({ length: 60 }, (_, n) => `swan ${n}`));

  await t.test('a page without a hit is gone on from', async (t) => {
    const page = await openPage(t, url);
    const { box, link } = sightOf(page);
    await page.route(/search\?.*cursor=&/, (route) => route.fulfill({ json: { hits: [], next: 'more' } }));
    await page.route(/search\?.*cursor=more/, (route) => route.continue({ url: route.request().url().replace('=more', '=') }));
    await box.fill('heron');
    await link('waits').waitFor();
    await page.unrouteAll();
  });

  await t.test('the message is gone to in another chat, far above what is shown at first', async (t) => {
    const page = await openPage(t, url);
    const { box, link, marks, shows, found } = sightOf(page);
    await box.fill('heron');
    await link('waits').click();
    await shows('m100');
    await marks('heron'); // the word itself, not what has it inside
    await until('a reload would show the end, as ever', () => page.url() === `${url}/#/chat/long`);
    await found.waitFor();
    await link('What is').click();
    await shows('m0');
    await parts(page).answers.getByText('A bird').waitFor();
  });

  await t.test('the same hit goes there again, and a question takes the mark away', async (t) => {
    const page = await openPage(t, `${url}/#/chat/short`);
    const { box, link, marks, shows, marked } = sightOf(page);
    await parts(page).answers.waitFor();
    await box.fill('bird');
    await link('A bird').click();
    await shows('m1');
    await assertAccessible(page, 'a message that was found, beside the hits');
    await parts(page).box.focus();
    await link('A bird').click();
    await shows('m1');
    await ask(page, 'and an egret?');
    await marked.waitFor({ state: 'detached' });
    await marks();
  });

  await t.test('with the keyboard alone: Enter opens the first hit, arrows the others', async (t) => {
    const page = await openPage(t, url);
    const { box, link, shows } = sightOf(page);
    const press = (keys) => page.keyboard.press(keys);
    await parts(page).box.waitFor(); // the page is there
    const search = async () => {
      await press('Control+k');
      await until('it has the focus', () => box.evaluate((it) => it === document.activeElement));
    };
    await search();
    await page.keyboard.type('kingfisher');
    await link('at last').waitFor();
    await press('ArrowDown');
    await press('ArrowUp');
    await press('Enter');
    await shows('m1');
    await search();
    for (let n = 0; n < 2; ++n) await press('ArrowDown');
    assert.match(await page.evaluate(() => document.activeElement.textContent), /at last/);
    await press('Enter');
    await shows('m301');
    await press('ArrowUp');
    assert.equal(await page.evaluate(() => document.activeElement.dataset.id), 'm300');
  });

  await t.test('a message that is longer than the window is begun where the words stand', async (t) => {
    const page = await openPage(t, url);
    const { box, link, marks } = sightOf(page);
    await box.fill('kingfisher');
    await link('at last').click();
    await until('the words are in view', () => page.evaluate(() => {
      const [first] = CSS.highlights.get('found') ?? [];
      const view = document.querySelector('.log').getBoundingClientRect();
      const place = first?.getBoundingClientRect();
      return place?.top >= view.top && place.bottom <= view.bottom;
    }));
    await page.locator('.c-keyword').first().waitFor();
    await marks('kingfisher', 'kingfisher'); // also in code that has its colours now
  });

  await t.test('a part of a Chinese text', async (t) => {
    const page = await openPage(t, url);
    const { box, link, marks, shows } = sightOf(page);
    await box.fill('"');
    await parts(page).list.waitFor(); // nothing is looked for, and nothing is wrong
    await box.fill('署方');
    await link('今天').click();
    await shows('m500');
    await marks('署方');
  });

  await t.test('a message that this tab does not know yet, and one that has no id of its own', async (t) => {
    const page = await openPage(t, `${url}/#/chat/short`);
    const { box, link, shows, marked } = sightOf(page);
    await parts(page).answers.first().waitFor();
    const other = await openIn(page.context(), page.url());
    await parts(other).answers.first().waitFor();
    await ask(other, 'and an ibis?');
    await box.fill('ibis');
    await link('You: and an ibis').click();
    await until('it is read and shown', async () => /an ibis/.test(await marked.innerText()));
    await box.fill('bittern');
    await link('bittern').click();
    await shows('message-2');
  });

  await t.test('of a chat with many hits some are shown, and the rest on demand', async (t) => {
    const page = await openPage(t, url);
    const { box, found, link, shows } = sightOf(page);
    await box.fill('swan');
    await until('three are shown', async () => (await found.getByRole('link').count()) === 3);
    await page.getByRole('button', { name: '37 more in this chat' }).press('Enter');
    await until('forty are', async () => (await found.getByRole('link').count()) === 40);
    await until('the next one has the focus', () => found.getByRole('link').nth(3).evaluate((it) => it === document.activeElement));
    await page.getByRole('button', { name: 'More results' }).click();
    await until('sixty are', async () => (await found.getByRole('link').count()) === 60);
    await page.getByRole('button', { name: 'More results' }).waitFor({ state: 'detached' });
    await link(/swan 3$/).click();
    await shows('m3');
  });

  await t.test('on a phone the menu gives way to the message', async (t) => {
    const page = await openPage(t, url, { viewport: { width: 375, height: 720 } });
    const { box, link, shows } = sightOf(page);
    await page.getByRole('button', { name: 'Menu' }).click();
    await box.fill('heron');
    await assertAccessible(page, 'hits on a phone');
    await link('waits').click();
    await box.waitFor({ state: 'hidden' });
    await shows('m100');
  });

  await t.test('a message or a chat that went meanwhile: the reader is told', async (t) => {
    const page = await openPage(t, url);
    const { box, link, marked } = sightOf(page);
    await page.goto(`${url}/#/chat/long`); // has it read before
    await parts(page).questions.first().waitFor();
    await page.getByRole('button', { name: 'New chat' }).click();
    const gone = page.getByRole('alert').getByText('The message that was found is not there any more.');
    await box.fill('heron');
    await link('waits').waitFor();
    await dropChat(url, 'long');
    await keepChat(url, 'long', long.slice(0, 90));
    await link('waits').click();
    await gone.waitFor();
    await parts(page).questions.getByText('Message number 88,').waitFor();
    assert.equal(await marked.count(), 0);
    await until('the address names no message any more', () => page.url() === `${url}/#/chat/long`);
    await page.evaluate(() => document.querySelector('.notice [aria-label=Dismiss]')?.click()); // it may have gone by itself
    await gone.waitFor({ state: 'detached' });
    await dropChat(url, 'short');
    await link('What is').click();
    await gone.waitFor();
    await page.getByRole('heading', { name: 'What shall we talk about?' }).waitFor();
  });
});
