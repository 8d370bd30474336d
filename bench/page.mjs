// The budgets of the web page, in Chromium: prints a Markdown table.
import test from 'node:test';
import { until } from '../tests/integration/support/patience.mjs';
import { startFakeModel } from '../tests/integration/support/fake_model.mjs';
import { connected, demoServer, startTroupe } from '../tests/integration/support/servers.mjs';
import { ask, openPage, parts } from '../tests/page/support/browser.mjs';
import { handWritten } from '../tests/page/support/hand_written.mjs';
import { startServer } from '../tests/page/support/server.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const rows = [];
const row = (what, value, budget) => rows.push(`| ${what} | ${value} | ${budget} |`);
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const ms = (value) => `${value.toFixed(0)} ms`;

/** Chromium's counters of a page: seconds of script and layout, bytes of heap. */
async function counters(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const read = (name) => metrics.find((each) => each.name === name).value;
    return {
      script: read('ScriptDuration') * 1000,
      layout: (read('LayoutDuration') + read('RecalcStyleDuration')) * 1000,
      heap: read('JSHeapUsedSize') / 1e6,
    };
  };
}

/** Collects tasks above 50 ms from now on. */
const watchTasks = (page) =>
  page.evaluate(() => {
    window.tasks = [];
    new PerformanceObserver((list) => list.getEntries().forEach((each) => window.tasks.push(each.duration))).observe({ type: 'longtask' });
  });
const longest = (page) => page.evaluate(() => Math.max(0, ...window.tasks));

async function firstLoad(t, url) {
  const sizes = async (coding) => {
    let sum = 0;
    const size = async (path) => {
      const answer = await fetch(url + path, { headers: { accept: 'text/html', 'accept-encoding': coding } });
      const text = await answer.text();
      const head = await fetch(url + path, { method: 'HEAD', headers: { accept: 'text/html', 'accept-encoding': coding } });
      sum += Number(head.headers.get('content-length'));
      return text;
    };
    const page = await size('/');
    for (const [, path] of page.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)) await size(path);
    return sum / 1000;
  };
  row('first load, gzip', `${(await sizes('gzip')).toFixed(0)} KB`, '120 KB');
  row('first load, Brotli', `${(await sizes('br')).toFixed(0)} KB`, '');
  const times = [];
  const scripts = [];
  let heap;
  for (let n = 0; n < rounds; ++n) {
    const page = await openPage(t, url);
    const read = await counters(page);
    await page.reload();
    await parts(page).box.waitFor();
    times.push(await page.evaluate(() => performance.getEntriesByType('paint').find((e) => e.name === 'first-contentful-paint').startTime));
    const now = await read();
    scripts.push(now.script);
    ({ heap } = now);
    await page.close();
  }
  row('box to be seen, warm', ms(median(times)), '300 ms');
  row('script until then', ms(median(scripts)), '80 ms');
  row('heap of an empty chat', `${heap.toFixed(1)} MB`, '');
}

/** @param slower how many times as slow as this machine the page's processor is */
async function streaming(t, url, tokens, slower = 1) {
  const page = await openPage(t, url, { settings: { model: `paced-2000-${tokens}` } });
  const read = await counters(page);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await watchTasks(page);
  const { box, send, answers } = parts(page);
  await box.fill('go');
  const begin = await read();
  await send.click();
  await answers.waitFor();
  await until('it is over', async () => (await send.count()) === 1, 120000);
  const end = await read();
  const task = ms(await longest(page));
  if (slower > 1) {
    row(`${tokens} tokens, processor ${slower} times as slow: longest task`, task, '200 ms');
    return page.context().close();
  }
  const per = (of) => ((end[of] - begin[of]) / tokens) * 1000;
  row(`${tokens} tokens: script per 1,000`, ms(per('script')), '70 ms');
  row(`${tokens} tokens: layout per 1,000`, ms(per('layout')), '60 ms');
  row(`${tokens} tokens: longest task`, task, '100 ms');
  await page.context().close();
}

const long = 'A paragraph of an answer with some `code` and **words**. '.repeat(12);
const answer = `${long}\n\n\`\`\`js\nconst a = 1;\nconst b = 2;\n\`\`\`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n${long}`;

async function longChat(t, url, count) {
  const messages = Array.from({ length: count }, (_, n) => ({
    message: { role: n % 2 ? 'assistant' : 'user', text: n % 2 ? answer : `Question ${n}`, id: `m${n}` },
  }));
  const body = JSON.stringify({ format: 'troupe.conversation', version: 1, info: { id: `long-${count}`, title: 'Long' }, messages });
  await fetch(`${url}/v1/conversations/import`, { method: 'POST', body });
  const times = [];
  const served = [];
  let keys;
  let heap;
  for (let n = 0; n < rounds; ++n) {
    const page = await openPage(t, `${url}/#/settings/about`);
    const read = await counters(page);
    await page.getByText('Troupe runs').waitFor();
    served.push(await page.evaluate(async (id) => {
      const begin = performance.now();
      await (await fetch(`/v1/conversations/${id}`)).text();
      return performance.now() - begin;
    }, `long-${count}`));
    times.push(await page.evaluate(async (id) => {
      const begin = performance.now();
      location.hash = `#/chat/${id}`;
      while (!document.querySelector('article')) await new Promise(requestAnimationFrame);
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      return performance.now() - begin;
    }, `long-${count}`));
    ({ heap } = await read());
    keys = await page.evaluate(async () => {
      const box = document.querySelector('.composer textarea');
      const all = [];
      for (let i = 0; i < 30; ++i) {
        const begin = performance.now();
        box.value += 'a';
        box.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: 'a' }));
        await new Promise((done) => queueMicrotask(() => setTimeout(done)));
        box.getBoundingClientRect();
        all.push(performance.now() - begin);
      }
      return all.sort((a, b) => a - b)[15];
    });
    await page.context().close();
  }
  row(`${count} messages: until painted`, ms(median(times)), count === 500 ? '500 ms' : '1500 ms');
  row(`${count} messages: of that the request`, ms(median(served)), '');
  row(`${count} messages: heap`, `${heap.toFixed(1)} MB`, count === 500 ? '20 MB' : '30 MB');
  row(`${count} messages: a key in the box`, `${keys.toFixed(1)} ms`, '16 ms');
}

const boxes = (n) =>
  Array.from({ length: n }, (_, i) => `<mxCell id="v${i}" value="Box ${i}" vertex="1" parent="1"><mxGeometry x="${(i % 25) * 140}" y="${Math.floor(i / 25) * 90}" width="120" height="60" as="geometry"/></mxCell>`).join('') +
  Array.from({ length: n - 1 }, (_, i) => `<mxCell id="e${i}" edge="1" parent="1" source="v${i}" target="v${i + 1}"><mxGeometry relative="1" as="geometry"/></mxCell>`).join('');

async function diagrams(t) {
  const hand = handWritten();
  const answer = ({ messages }) => {
    const last = messages.at(-1);
    if (last.role === 'tool') return { text: 'done' };
    if (last.content === 'streamed') return { byHand: true };
    if (last.content === 'big') return { calls: [{ name: 'big', arguments: { bytes: 2000000 } }] };
    return { calls: [{ name: 'display_diagram', arguments: { xml: boxes(Number(last.content)) } }] };
  };
  const model = await startFakeModel(t, answer, hand.write);
  const troupe = await startTroupe(t, {
    models: { fake: { provider: 'openai', base_url: `${model.url}/v1`, model: 'fake', api_key: 'k' } },
    mcpServers: { demo: demoServer() },
  });
  await connected(troupe, 'demo');
  const page = await openPage(t, troupe.url);
  const { box, send, tool } = parts(page);
  await ask(page, '2'); // maxGraph is there from now on
  await page.locator('figure svg text').first().waitFor();
  const drawn = (n) => until('it is drawn', async () => (await page.locator('figure svg text').count()) >= n, 60000);
  for (const [n, budget] of [[50, '150 ms'], [500, '1600 ms']]) {
    const read = await counters(page);
    await watchTasks(page);
    const begin = await read();
    await ask(page, String(n));
    await drawn(n);
    const end = await read();
    row(`diagram of ${n} shapes: script and layout of the turn`, ms(end.script + end.layout - begin.script - begin.layout), budget);
    row(`diagram of ${n} shapes: longest task`, ms(await longest(page)), '');
  }
  await page.getByRole('button', { name: 'New chat' }).click();
  const read = await counters(page);
  await watchTasks(page);
  const begin = await read();
  await box.fill('streamed');
  await send.click();
  const pen = await hand.begun();
  const text = JSON.stringify({ xml: boxes(500) });
  pen.call('display_diagram');
  for (let at = 0; at < text.length; at += 40) {
    pen.args(text.slice(at, at + 40));
    if (at % 800 === 0) await new Promise((done) => setTimeout(done, 4));
  }
  pen.end('tool_calls');
  await page.getByText('done').last().waitFor({ timeout: 60000 });
  await drawn(500);
  const end = await read();
  row(`diagram of 500 shapes in ${Math.ceil(text.length / 40)} pieces: script and layout`, ms(end.script + end.layout - begin.script - begin.layout), '');
  row('diagram of 500 shapes in pieces: longest task', ms(await longest(page)), '100 ms');
  await watchTasks(page);
  await ask(page, 'big');
  await tool('big').getByRole('button', { expanded: false }).click();
  await tool('big').getByRole('button', { name: /^Show more/ }).click();
  row('2 MB of a tool: longest task', ms(await longest(page)), '100 ms');
}

/** Opens a hundred chats in turn. */
async function manyChats(t, url) {
  const id = (n) => `one-of-many-${n}`;
  for (let n = 0; n < 100; ++n) {
    const messages = Array.from({ length: 10 }, (_, m) => ({ message: { role: m % 2 ? 'assistant' : 'user', text: m % 2 ? answer : `Question ${m}`, id: `m${m}` } }));
    const body = JSON.stringify({ format: 'troupe.conversation', version: 1, info: { id: id(n), title: `Chat ${n}` }, messages });
    await fetch(`${url}/v1/conversations/import`, { method: 'POST', body });
  }
  const page = await openPage(t, `${url}/#/chat/${id(0)}`);
  const session = await page.context().newCDPSession(page);
  const read = await counters(page);
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage');
    return (await read()).heap;
  };
  const open = async (n) => {
    await page.evaluate((to) => void (location.hash = to), `#/chat/${id(n)}`);
    await until('it is there', async () => (await page.locator('article').count()) === 10 && page.url().endsWith(id(n)));
  };
  for (let n = 0; n < 10; ++n) await open(n);
  const before = await heap();
  for (let n = 10; n < 100; ++n) await open(n);
  row('90 more chats opened in turn: heap', `${((await heap()) - before).toFixed(1)} MB`, '10 MB');
}

test('the budgets of the page', { timeout: 600000 }, async (t) => {
  const chosen = process.argv.slice(2);
  const wanted = (part) => chosen.length === 0 || chosen.includes(part);
  t.after(() => console.log(`\n| | measured | budget |\n|---|---|---|\n${rows.join('\n')}\n`));
  const tokens = [5000, 20000];
  const troupe = await startServer(t, ['text', ...tokens.map((n) => `paced-2000-${n}`)]);
  if (wanted('load')) await firstLoad(t, troupe.url);
  if (wanted('streams')) {
    for (const n of tokens) await streaming(t, troupe.url, n);
    await streaming(t, troupe.url, tokens[0], 4);
  }
  if (wanted('chats')) {
    for (const n of [500, 2000]) await longChat(t, troupe.url, n);
    await manyChats(t, troupe.url);
  }
  if (wanted('diagrams')) await diagrams(t);
});
