// One headless Chromium for a test file, and pages that are watched for what must never happen.
import assert from 'node:assert/strict';
import { accessSync } from 'node:fs';
import { after } from 'node:test';
import { chromium } from 'playwright-core';
import { within } from '../../integration/support/patience.mjs';

// The shell is Chromium without a window's parts, which the others draw also where nobody sees them.
const places = [process.env.CHROMIUM, '/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'];
let running;

/** Starts the browser, once. */
export async function browser() {
  running ??= chromium.launch({
    executablePath: places.find(exists),
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  return running;
}
after(async () => (await running)?.close());

const idle = new Map(); // what nobody uses now, by the options: a new process for each test costs more than the test

/**
 * Opens `url` in a browser of its own, as one person's: nothing of another test is in it. Fails the
 * test at its end if the page broke its policy, asked another host, or had an error that nobody caught.
 * @param settings as the page keeps them: model, streaming, canvas, ...
 * @param options of Playwright's context: locale, colorScheme, viewport, ...
 */
export async function openPage(t, url, { settings, ...given } = {}) {
  const options = { locale: 'en-US', viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...given };
  const key = JSON.stringify(options);
  const one = idle.get(key)?.pop() ?? (await someone(options));
  const { page, watch } = one;
  watch.begin(new URL(url).origin);
  t.after(async () => {
    const { faults } = watch;
    await giveBack(one, key, options);
    assert.deepEqual(faults, []);
  });
  if (one.isUsed || settings) await forget(page, new URL('/healthz', url).href, settings);
  one.isUsed = true;
  await page.goto(url);
  return page;
}

async function someone(options) {
  const context = await (await browser()).newContext(options);
  context.setDefaultTimeout(within(20000)); // of a slow machine
  const one = { context, watch: watched(context), page: await emptyTab(context), isUsed: false, isChanged: false };
  const { addInitScript } = one.page;
  one.page.addInitScript = (...script) => {
    one.isChanged = true; // for good
    return addInitScript.apply(one.page, script);
  };
  return one;
}

/** Leaves the browser as it was before, for the next test, or closes it. */
async function giveBack(one, key, { viewport }) {
  const { context, page, watch } = one;
  watch.begin(undefined);
  if (one.isChanged || page.isClosed()) return context.close();
  for (const each of context.pages()) if (each !== page) await each.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  page.removeAllListeners();
  await page.goto('about:blank');
  await page.setViewportSize(viewport);
  idle.set(key, [...(idle.get(key) ?? []), one]);
}

/** Takes away what the browser keeps of the server, and puts the settings in its place. */
async function forget(page, plain, settings) {
  await page.goto(plain); // of the same origin, without the page
  await page.evaluate((kept) => {
    localStorage.clear();
    sessionStorage.clear();
    if (kept) localStorage['troupe.settings'] = kept;
  }, settings && JSON.stringify(settings));
}

const slowdown = Number(process.env.PAGE_SLOWDOWN ?? 1); // how many times slower the page's own code is

/** Opens an empty tab. */
export async function emptyTab(context) {
  const page = await context.newPage();
  if (slowdown === 1) return page;
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return page;
}

/** Opens one more tab of the same person. */
export async function openIn(context, url) {
  const page = await emptyTab(context);
  await page.goto(url);
  return page;
}

/** Holds requests of a page back until what it resolves with is called. */
export async function hold(page, what) {
  let goOn;
  const held = new Promise((resolve) => (goOn = resolve));
  await page.route(what, async (route) => (await held, route.continue().catch(() => {})));
  return goOn;
}

/** The page's parts by the names that readers know them by. */
export const parts = (page) => ({
  box: page.getByRole('textbox', { name: 'Message', exact: true }),
  send: page.getByRole('button', { name: 'Send', exact: true }),
  stop: page.getByRole('button', { name: 'Stop', exact: true }),
  log: page.getByRole('log', { name: 'Messages' }),
  answers: page.getByRole('article', { name: /^Assistant/ }),
  questions: page.getByRole('article', { name: /^You/ }),
  list: page.getByRole('list', { name: 'Conversations' }),
  tool: (name) => page.getByRole('group', { name: `Tool ${name}`, exact: true }),
});

/** Resolves with where an element is scrolled to, once that has been the same for some frames. */
export const resting = (element) =>
  element.evaluate(async (it) => {
    let last;
    while (it.scrollTop !== last) {
      last = it.scrollTop;
      for (let frames = 0; frames < 5; ++frames) await new Promise(requestAnimationFrame);
    }
    return last;
  });

/** Asks, and waits until the answer is complete. */
export async function ask(page, text) {
  const { box, send, questions } = parts(page);
  const before = await questions.count();
  await box.fill(text);
  await send.click();
  await questions.nth(before).waitFor();
  await send.waitFor({ timeout: within(40000) }); // in place of Stop
}

/**
 * Watches a context: from begin(origin) on, its pages may ask that origin only; without one nobody
 * looks. Has `faults`, what they did that they must not.
 */
export function watched(context) {
  let origin;
  const watch = {
    faults: [],
    begin(with_) {
      origin = with_;
      watch.faults = [];
    },
  };
  const note = (fault) => origin && watch.faults.push(fault);
  context.on('request', (request) => {
    const { protocol, origin: to } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol) && to !== origin) note(`request: ${request.url()}`);
  });
  context.on('weberror', (error) => note(`error: ${error.error().stack}`));
  context.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) note(message.text());
  });
  return watch;
}

function exists(path) {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}
