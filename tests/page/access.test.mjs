// The page for everybody: axe on every screen, the keyboard alone, Chinese, a phone. Where PAGE_PICTURES
// names a folder it puts the pictures of docs/page.md there, with PAGE_PICTURES_ALL those of all screens.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { startFakeModel } from '../integration/support/fake_model.mjs';
import { until } from '../integration/support/patience.mjs';
import { connected, demoServer, everythingOverStdio, startTroupe } from '../integration/support/servers.mjs';
import { assertAccessible } from './support/axe.mjs';
import { ask, emptyTab, hold, openPage, parts } from './support/browser.mjs';
import { startServer } from './support/server.mjs';

const box = (id, value, x, y, fill) =>
  `<mxCell id="${id}" value="${value}" style="rounded=1;fillColor=${fill};strokeColor=#6c8ebf" vertex="1" parent="1"><mxGeometry x="${x}" y="${y}" width="140" height="60" as="geometry"/></mxCell>`;
const xml =
  box('a', 'Visitor', 0, 60, '#dae8fc') + box('b', 'Front desk', 220, 60, '#d5e8d4') + box('c', '会议室', 440, 0, '#fff2cc') + box('d', 'Garden', 440, 120, '#ffe6cc') +
  ['ab', 'bc', 'bd'].map(([from, to]) => `<mxCell id="${from}${to}" value="${from === 'a' ? 'asks' : ''}" edge="1" parent="1" source="${from}" target="${to}"><mxGeometry relative="1" as="geometry"/></mxCell>`).join('');
const answer = `Here is a **plan** with a list, a table and some code.

1. Read the \`README\` first
2. Build it, and *measure*

| Part | Size | Note |
|:-----|-----:|------|
| page | 112 KB | with gzip |
| maths | 60 KB | when needed |

\`\`\`python
def area(r: float) -> float:
    """The area of a circle."""
    return 3.14159 * r ** 2
\`\`\`

The mean of $n$ values is $\\bar{x} = \\frac{1}{n}\\sum_{i=1}^{n} x_i$, and it costs $5.

> Averylongwordwithoutanyspaceinitthatmustnotmakethepagescrollsidewaysonaphoneatall.
`;

/** What of the screens is shown in the documentation. */
const pictures = {
  'canvas light 1280': 'page-canvas', 'canvas dark 1280': 'page-canvas-dark',
  'chat light 1280': 'page-chat', 'chat dark 1280': 'page-chat-dark',
  'servers light 1280': 'page-servers', 'servers dark 1280': 'page-servers-dark',
  'chat light 375': 'page-phone', 'chat dark 375': 'page-phone-dark',
};

async function keepPicture(page, what) {
  const { PAGE_PICTURES: folder, PAGE_PICTURES_ALL: all } = process.env;
  const name = pictures[what] ?? (all && what.replace(/[ ,]+/g, '-'));
  if (!folder || !name) return;
  const note = page.getByRole('button', { name: 'Dismiss' }); // of the server that is broken
  if (await note.count()) await note.first().click();
  await page.mouse.move(2, 2);
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
}

async function start(t) {
  const model = await startFakeModel(t, ({ messages }) => {
    const last = messages.at(-1);
    if (last.role === 'tool') return { text: /sum/.test(last.content) ? 'The sum is 42.' : 'The diagram stands beside the chat.' };
    if (/draw|画/.test(last.content)) return { calls: [{ name: 'display_diagram', arguments: { xml } }] };
    if (/plus/.test(last.content)) return { calls: [{ name: 'get-sum', arguments: { a: 17, b: 25 } }] };
    return { text: answer };
  });
  const troupe = await startTroupe(t, {
    models: {
      fake: { provider: 'openai', base_url: `${model.url}/v1`, model: 'fake', api_key: 'k' },
      other: { provider: 'openai', base_url: `${model.url}/v1`, model: 'fake', api_key: 'k' },
    },
    defaultModel: 'fake',
    mcpServers: { everything: everythingOverStdio(), demo: demoServer(), broken: { command: '/nowhere/at-all' } },
  });
  await connected(troupe, 'demo');
  await connected(troupe, 'everything');
  return troupe;
}

/** Looks at a screen with axe, and keeps its picture. */
async function check(page, what) {
  await assertAccessible(page, what);
  await keepPicture(page, what);
}

test('every screen, in both themes, wide and on a phone', { timeout: 280000 }, async (t) => {
  const troupe = await start(t);
  for (const colorScheme of ['light', 'dark'])
    for (const width of [1280, 375])
      await t.test(`${colorScheme}, ${width} pixels`, async (t) => {
        const name = (what) => `${what} ${colorScheme} ${width}`;
        const phone = width < 800;
        const page = await openPage(t, troupe.url, { colorScheme, viewport: { width, height: phone ? 720 : 800 } });
        const { answers, tool } = parts(page);
        const menu = async () => phone && page.getByRole('button', { name: 'Menu' }).click();
        await page.getByRole('heading', { name: 'What shall we talk about?' }).waitFor();
        await check(page, name('empty'));
        await ask(page, 'What is 17 plus 25?');
        await ask(page, 'Please write a plan.');
        await page.locator('math').first().waitFor();
        await page.locator('.c-keyword').first().waitFor();
        await tool('get-sum').getByRole('button').first().click();
        await parts(page).log.evaluate((it) => void (it.scrollTop = 0));
        await check(page, name('chat'));
        await answers.last().scrollIntoViewIfNeeded();
        await menu();
        await check(page, name('list'));
        if (phone) await page.getByRole('button', { name: 'Close menu' }).click();
        await ask(page, 'draw it');
        await page.locator('figure svg text').first().waitFor();
        await check(page, name('canvas'));
        await page.getByRole('button', { name: 'Source' }).click();
        await page.getByRole('group', { name: 'Source' }).waitFor();
        await check(page, name('source'));
        await page.getByRole('button', { name: 'Close canvas' }).click();
        await menu();
        await page.getByRole('link', { name: 'Settings' }).click();
        await page.getByRole('listitem', { name: 'everything' }).getByRole('button', { name: 'Details' }).click();
        await page.getByText('Protocol').waitFor();
        await check(page, name('servers'));
        await page.getByRole('button', { name: 'Add server' }).click();
        await check(page, name('add server'));
        await page.getByRole('button', { name: 'Cancel' }).click();
        for (const tab of ['Chat', 'Data', 'About']) {
          const link = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: tab });
          await link.click();
          await link.and(page.locator('[aria-current=page]')).waitFor(); // its region is not the one before
          await page.getByRole('region').first().waitFor();
          await check(page, name(`settings ${tab.toLowerCase()}`));
        }
      });
});

test('Chinese', { timeout: 280000 }, async (t) => {
  const troupe = await start(t);
  const page = await openPage(t, troupe.url, { locale: 'zh-CN' });
  await page.getByRole('textbox', { name: '消息', exact: true }).fill('请画一张图'); // its texts came after the page
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh-CN');
  await page.getByRole('button', { name: '发送' }).click();
  await page.locator('figure svg text').first().waitFor();
  await page.getByRole('button', { name: '关闭画布' }).waitFor();
  await check(page, 'chinese');
  await inChinese(page, 'chat');
  await page.getByRole('link', { name: '设置' }).click();
  await page.getByRole('button', { name: '添加服务器' }).waitFor();
  await page.getByRole('listitem', { name: 'everything' }).getByRole('button', { name: '详情' }).click();
  await page.getByRole('listitem', { name: 'everything' }).locator('dl').waitFor();
  await check(page, 'chinese servers');
  for (const each of await page.getByRole('navigation', { name: '设置' }).getByRole('link').all()) {
    await each.click();
    await each.and(page.locator('[aria-current=page]')).waitFor();
    await page.getByRole('region').first().waitFor();
    await inChinese(page, await each.innerText());
  }
});

test('colours and language are chosen, kept, and known before anything is painted', { timeout: 280000 }, async (t) => {
  const troupe = await startServer(t, ['echo']);
  const page = await openPage(t, troupe.url, { colorScheme: 'light' });
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  assert.equal(await theme(), 'light');
  await page.getByRole('button', { name: 'Dark colours' }).click();
  assert.equal(await theme(), 'dark');
  const goOn = await hold(page, '**/*.js'); // a slow network
  await page.reload({ waitUntil: 'commit' });
  const seen = page.screenshot({ timeout: 60000 });
  const early = await earlyPage(page.context(), troupe.url);
  assert.ok((await brightness(early, await early.screenshot())) > 200, 'one that does not wait is seen meanwhile, in other colours');
  goOn();
  assert.ok((await brightness(page, await seen)) < 60, 'the first that is seen is dark');
  assert.equal(await theme(), 'dark');
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Chat', exact: true }).click();
  await page.getByRole('combobox', { name: 'Language' }).selectOption('中文');
  await page.getByRole('combobox', { name: '语言' }).waitFor();
  await page.reload();
  await page.getByRole('combobox', { name: '语言' }).waitFor();
});

/** Opens the page without its scripts, and without what has the browser wait for them. */
async function earlyPage(context, url) {
  const page = await emptyTab(context);
  await hold(page, '**/*.js');
  await page.route(`${url}/`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll('blocking="render"', '') });
  });
  await page.goto(url, { waitUntil: 'commit' });
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
  return page;
}

/** How bright the middle of a picture is, from 0 to 255. */
const brightness = (page, png) =>
  page.evaluate(async (source) => {
    const picture = new Image();
    picture.src = source;
    await picture.decode();
    const field = new OffscreenCanvas(1, 1).getContext('2d');
    field.drawImage(picture, picture.width / 2, picture.height / 2, 1, 1, 0, 0, 1, 1);
    return Math.max(...field.getImageData(0, 0, 1, 1).data.slice(0, 3));
  }, `data:image/png;base64,${png.toString('base64')}`);

/** None of the page's own words are English. */
async function inChinese(page, where) {
  const words = (language) => JSON.parse(readFileSync(new URL(`../../apps/page/src/i18n/${language}.json`, import.meta.url), 'utf8'));
  const [en, zh] = [words('en'), words('zh')];
  const english = new Set(Object.keys(en).filter((key) => en[key] !== zh[key]).map((key) => en[key]));
  const seen = await page.evaluate(() => [
    ...document.body.innerText.split('\n'),
    ...[...document.querySelectorAll('[aria-label]')].map((each) => each.getAttribute('aria-label')),
    ...[...document.querySelectorAll('[placeholder]')].map((each) => each.placeholder),
  ]);
  assert.deepEqual(seen.filter((each) => english.has(each.trim())), [], where);
}

test('all of it with the keyboard alone', { timeout: 280000 }, async (t) => {
  const troupe = await start(t);
  const page = await openPage(t, troupe.url);
  const { box, send, answers, questions } = parts(page);
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent);
  const press = (keys) => page.keyboard.press(keys);
  const tabTo = async (name) => {
    for (let n = 0; n < 60; ++n) {
      if ((await focused()) === name) return;
      await press('Tab');
    }
    assert.fail(`Tab does not reach ${name}`);
  };
  await until('the box has the focus', () => box.evaluate((it) => it === document.activeElement));
  await page.keyboard.type('What is 17 plus 25?');
  await press('Enter');
  await answers.getByText('The sum is 42.').waitFor();
  await send.waitFor();
  await press('Shift+F6');
  await press('ArrowUp');
  assert.match(await focused(), /^Assistant/);
  await press('ArrowUp');
  assert.match(await focused(), /^You/);
  await press('e');
  await until('it can be edited', async () => (await focused()) === 'Edit message');
  await press('Escape');
  await press('Control+Shift+Semicolon');
  await until('the box has the focus', async () => (await focused()) === 'Message');
  await press('Control+Shift+O');
  await questions.first().waitFor({ state: 'detached' });
  await until('the box has the focus', async () => (await focused()) === 'Message');
  await press('Control+k');
  await until('the search has the focus', async () => (await focused()) === 'Search conversations');
  await tabTo('What is 17 plus 25?');
  await press('Enter');
  await answers.getByText('The sum is 42.').waitFor();
  await press('Control+k');
  await tabTo('Actions of What is 17 plus 25?');
  await press('Enter');
  await until('the menu has the focus', async () => (await focused()) === 'Rename');
  await press('ArrowDown');
  await press('ArrowDown');
  assert.equal(await focused(), 'Delete');
  await press('Enter');
  await tabTo('Delete');
  await press('Enter');
  await page.getByText('Your chats will be here.').waitFor();
  await press('Control+k');
  await tabTo(' Settings');
  await press('Enter');
  await page.getByRole('region', { name: 'MCP servers' }).waitFor();
  await tabTo('Enable demo');
  await press('Space');
  await page.getByRole('listitem', { name: 'demo' }).getByText('idle').waitFor();
  await tabTo('Add server');
  await press('Enter');
  await page.getByRole('dialog', { name: 'Add server' }).waitFor();
  await press('Escape');
  await until('the focus is back', async () => (await focused()) === 'Add server');
  await press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
});
