// What others wrote can neither run nor load anything, whichever way it comes in.
import assert from 'node:assert/strict';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { startFakeModel } from '../integration/support/fake_model.mjs';
import { until } from '../integration/support/patience.mjs';
import { connected, demoServer, startTroupe } from '../integration/support/servers.mjs';
import { ask, browser, openIn, openPage, parts, watched } from './support/browser.mjs';

const hostile = fileURLToPath(new URL('../integration/support/hostile_server.mjs', import.meta.url));

/** Each would set window.ran or ask a host that is not the server's; openPage() sees the second. */
const payloads = [
  '<img src=x onerror="window.ran=1">',
  '<img src="http://203.0.113.7/a.png">',
  '<script>window.ran=1</script>',
  '<svg onload="window.ran=1"></svg>',
  '<svg><script>window.ran=1</script></svg>',
  '<iframe srcdoc="<script>parent.ran=1</script>"></iframe>',
  '<iframe src="javascript:parent.ran=1"></iframe>',
  '<object data="http://203.0.113.7/o"></object>',
  '<embed src="http://203.0.113.7/e">',
  '<link rel="stylesheet" href="http://203.0.113.7/s.css">',
  '<style>@import "http://203.0.113.7/s.css"; body { display: none }</style>',
  '<div style="background:url(http://203.0.113.7/b.png)">x</div>',
  '<base href="http://203.0.113.7/">',
  '<meta http-equiv="refresh" content="0;url=http://203.0.113.7/">',
  '<form action="http://203.0.113.7/"><input autofocus onfocus="window.ran=1"></form>',
  '<details open ontoggle="window.ran=1">x</details>',
  '<a href="javascript:window.ran=1" id="bad">x</a>',
  '[click](javascript:window.ran=1)',
  '[click](JaVaScRiPt:window.ran=1)',
  '[click](data:text/html,<script>window.ran=1</script>)',
  '[click]( vbscript:x )',
  '![see](http://203.0.113.7/secret.png?text=abc)',
  '![see](javascript:window.ran=1)',
  '<http://203.0.113.7/auto>',
  '[ref][1]\n\n[1]: javascript:window.ran=1',
  '```html\n<img src=x onerror="window.ran=1">\n```',
  '```" onmouseover="window.ran=1\ncode\n```',
  '$\\href{javascript:window.ran=1}{x}$',
  '$\\includegraphics{http://203.0.113.7/a.png}$',
  '$$\\class{x" onmouseover="window.ran=1}{y}$$',
  '| a | b |\n|---|---|\n| <img src=x onerror="window.ran=1"> | ![x](http://203.0.113.7/t.png) |',
  '\u202egnp.exe \u0000 \u200b',
];
const cell = (value, style = '') =>
  `<mxCell id="a" value="${value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;')}" style="${style}" vertex="1" parent="1"><mxGeometry width="80" height="40" as="geometry"/></mxCell>`;
const svgs = [
  '<svg xmlns="http://www.w3.org/2000/svg"><script>window.ran=1</script><text>t</text></svg>',
  '<svg xmlns="http://www.w3.org/2000/svg" onload="window.ran=1"><text>t</text></svg>',
  '<svg xmlns="http://www.w3.org/2000/svg"><image href="http://203.0.113.7/a.png"/><text>t</text></svg>',
  '<svg xmlns="http://www.w3.org/2000/svg"><foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="window.ran=1"/></body></foreignObject><text>t</text></svg>',
  '<svg xmlns="http://www.w3.org/2000/svg"><style>@import url(http://203.0.113.7/a.css);</style><text>t</text></svg>',
  '<svg xmlns="http://www.w3.org/2000/svg"><rect style="fill:url(http://203.0.113.7/f.svg#a)"/><text>t</text></svg>',
  '<svg xmlns="http://www.w3.org/2000/svg"><a href="javascript:window.ran=1"><text>t</text></a></svg>',
  '<svg xmlns="http://www.w3.org/2000/svg"><use href="http://203.0.113.7/u.svg#a"/><animate attributeName="href" to="javascript:window.ran=1"/><text>t</text></svg>',
];

/** Nothing has run, and nothing is there that could. */
async function assertHarmless(page) {
  await page.waitForFunction(() => document.readyState === 'complete');
  assert.equal(await page.evaluate(() => window.ran), undefined);
  const bad = await page.evaluate(() =>
    [...document.querySelectorAll('script:not([src]), iframe, object, embed, base, form[action], [onerror], [onload], [onclick], a[href^=javascript i]')].map((each) => each.outerHTML));
  assert.deepEqual(bad, []);
  assert.ok(await page.evaluate(() => getComputedStyle(document.body).display !== 'none'));
}

test('texts of others stay texts', { timeout: 280000 }, async (t) => {
  const model = await startFakeModel(t, ({ messages }) => {
    const last = messages.at(-1);
    if (last.role === 'tool') return { text: 'seen' };
    const [, name, args] = /^(\S+) (\{.*\})$/s.exec(last.content) ?? [];
    if (name) return { calls: [{ name, arguments: JSON.parse(args) }] };
    return { text: last.content === 'payloads' ? payloads.join('\n\n') : last.content };
  });
  const troupe = await startTroupe(t, {
    models: { fake: { provider: 'openai', base_url: `${model.url}/v1`, model: 'fake', api_key: 'k' } },
    mcpServers: { demo: demoServer(), [payloads[0]]: { command: '/nowhere/<img src=x onerror=window.ran=1>' } },
  });
  await connected(troupe, 'demo');
  await t.test('the watch over all pages of these tests sees what they must not do', async (t) => {
    const context = await (await browser()).newContext();
    t.after(() => context.close());
    const watch = watched(context);
    watch.begin(troupe.url);
    const { faults } = watch;
    const page = await openIn(context, troupe.url);
    assert.deepEqual(faults, []);
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.ran = 1';
      document.body.append(script);
      setTimeout(() => {
        throw new Error('nobody catches this');
      });
      open('http://127.0.0.1:9/');
    });
    for (const fault of [/Content Security Policy/, /nobody catches this/, /request: http:\/\/127\.0\.0\.1:9/])
      await until(String(fault), () => faults.some((each) => fault.test(each)));
    assert.equal(await page.evaluate(() => window.ran), undefined, 'and the policy stops it');
  });

  const page = await openPage(t, troupe.url);
  const { answers, tool, list, send } = parts(page);
  const figure = page.getByRole('figure', { name: 'Diagram' });
  const good = () => assertHarmless(page);

  await t.test('in answers, questions and titles', async () => {
    await ask(page, 'payloads');
    await until('all is there', async () => /gnp\.exe/.test(await answers.innerText()));
    for (const each of await answers.getByRole('link').all()) assert.match(await each.getAttribute('href'), /^https?:/);
    await good();
    for (const each of payloads.slice(0, 3)) {
      await page.getByRole('button', { name: 'New chat' }).click();
      await answers.waitFor({ state: 'detached' });
      await ask(page, each);
      await list.getByRole('link', { name: each.slice(0, 20) }).waitFor();
      await good();
    }
  });

  await t.test('in results of tools', async () => {
    await ask(page, `echo ${JSON.stringify({ message: payloads.join(' ') })}`);
    await tool('echo').getByRole('button', { expanded: false }).click();
    await tool('echo').getByText('onerror').first().waitFor();
    await good();
  });

  await t.test('in labels and styles of diagrams', async () => {
    for (const each of payloads.slice(0, 12)) {
      await ask(page, `display_diagram ${JSON.stringify({ xml: cell(`${each}label`, 'shape=image;image=http://203.0.113.7/i.png;html=1') })}`);
      await until('it is drawn', async () => /label/.test(await figure.locator('figcaption').textContent()));
    }
    await good();
  });

  await t.test('in drawings', async () => {
    for (const svg of svgs) {
      await ask(page, `display_svg ${JSON.stringify({ svg })}`);
      await send.waitFor();
      await figure.getByRole('img').waitFor();
    }
    await good();
    const source = await figure.getByRole('img').getAttribute('src');
    assert.match(source, /^blob:/, 'it is a picture, not a part of the page');
  });

  await t.test('in names and errors of servers, and in imports', async () => {
    await page.getByRole('link', { name: 'Settings' }).click();
    const server = page.getByRole('region', { name: 'MCP servers' }).getByRole('listitem', { name: payloads[0] });
    await server.getByText('/nowhere/<img').first().waitFor();
    await good();
    await page.getByRole('link', { name: 'Data' }).click();
    const conversation = {
      format: 'troupe.conversation', version: 1,
      info: { id: 'bad', title: payloads[0] },
      messages: [
        { message: { role: 'user', text: payloads[2], id: 'u' } },
        { message: { role: 'assistant', text: payloads.join('\n\n'), id: 'a' } },
      ],
    };
    await page.locator('input[type=file]').setInputFiles({ name: 'c.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(conversation)) });
    await page.getByText('1 chat was taken in.').waitFor();
    await page.goto(`${troupe.url}/#/chat/bad`);
    await answers.waitFor();
    await good();
  });
});

test('a server of MCP stays text wherever it may say something', { timeout: 280000 }, async (t) => {
  const text = payloads.filter((each) => !each.includes('\0')).join(' ');
  const model = await startFakeModel(t, ({ messages }) => {
    const last = messages.at(-1);
    if (last.role === 'tool') return { text: `seen ${last.content}` };
    return /^(show|ask|visit)$/.test(last.content) ? { calls: [{ name: last.content, arguments: {} }] } : { text: 'nothing' };
  });
  const troupe = await startTroupe(t, {
    models: { fake: { provider: 'openai', base_url: `${model.url}/v1`, model: 'fake', api_key: 'k' } },
    mcpServers: { hostile: { command: process.execPath, args: [hostile], env: { HOSTILE_TEXT: text } } },
  });
  await connected(troupe, 'hostile');
  const page = await openPage(t, troupe.url);
  const { box, send, tool } = parts(page);
  const dialog = page.getByRole('dialog');
  const good = () => assertHarmless(page);

  await t.test('in results of every kind, and in files that are saved', async () => {
    await ask(page, 'show');
    await tool('show').getByRole('button', { expanded: false }).click();
    await tool('show').getByText('onerror').first().waitFor();
    assert.equal(await tool('show').getByRole('link').count(), 0);
    assert.deepEqual(await tool('show').locator('img').evaluateAll((all) => all.map((it) => it.src.slice(0, 15)).filter((src) => !/^data:image\//.test(src))), []);
    const download = page.waitForEvent('download');
    await tool('show').getByRole('button', { name: /^Save/ }).first().click();
    assert.doesNotMatch((await download).suggestedFilename(), /[/\\<>]/);
    await good();
  });

  await t.test('in forms, and in addresses that it wants visited', async () => {
    await box.fill('ask');
    await send.click();
    await dialog.getByText('onerror').first().waitFor();
    await good();
    await dialog.getByRole('button', { name: 'Accept' }).click();
    await send.waitFor();
    await box.fill('visit');
    await send.click();
    await dialog.getByText('javascript:window.ran=1', { exact: true }).waitFor();
    assert.equal(await dialog.getByRole('link').count(), 0, 'it cannot be pressed');
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await send.waitFor();
    await good();
  });

  await t.test('in prompts, resources and templates', async () => {
    await box.fill('');
    await box.press('/');
    await page.getByRole('option').first().click();
    await dialog.getByRole('button', { name: 'Preview' }).click();
    await dialog.getByRole('group', { name: 'Preview' }).waitFor();
    await good();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await box.press('@');
    await page.getByRole('option').nth(1).click();
    await dialog.getByRole('button', { name: 'Done' }).waitFor();
    await good();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await box.fill(''); // what was typed stays where nothing was chosen
    await box.press('@');
    await page.getByRole('option').first().click();
    await page.getByRole('list', { name: 'Attachments' }).waitFor();
    await ask(page, 'with it');
    await good();
  });

  await t.test('in the settings: what it is, its tools and resources, its log', async () => {
    await page.getByRole('link', { name: 'Settings' }).click();
    const server = page.getByRole('listitem', { name: 'hostile' });
    await server.getByRole('button', { name: 'Details' }).click();
    for (const what of ['3 tools', '1 resource', '1 resource template', 'Log']) await server.getByText(what, { exact: true }).click();
    await good();
    await server.getByRole('button', { name: 'Try show' }).click();
    await dialog.getByRole('button', { name: 'Call' }).click();
    await dialog.getByText('onerror').first().waitFor();
    await good();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await server.getByRole('button', { name: /^Read/ }).click();
    await dialog.getByRole('group', { name: /^Result of/ }).first().waitFor();
    await good();
  });
});
