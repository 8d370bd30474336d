// One headless Chromium for a test file, and pages that are watched for what must never happen.
import assert from 'node:assert/strict';
import { accessSync } from 'node:fs';
import { after } from 'node:test';
import { chromium } from 'playwright-core';
import { until, within } from '../../integration/support/patience.mjs';

const places = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'];
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

/**
 * Opens `url` in a browser of its own, as one person's. Fails the test at its end if the page broke
 * its policy, asked another host, or had an error that nobody caught.
 * @param settings as the page keeps them: model, streaming, canvas, ...
 * @param options of Playwright's context: locale, colorScheme, viewport, ...
 */
export async function openPage(t, url, { settings, ...options } = {}) {
  const context = await (await browser()).newContext({
    locale: 'en-US',
    viewport: { width: 1280, height: 800 },
    acceptDownloads: true,
    ...options,
  });
  context.setDefaultTimeout(within(20000)); // of a slow machine
  if (settings)
    await context.addInitScript((kept) => {
      if (location.protocol === 'http:') localStorage['troupe.settings'] ??= kept;
    }, JSON.stringify(settings));
  const watch = watched(context, new URL(url).origin);
  t.after(() => context.close());
  const page = await openIn(context, url);
  t.after(() => assert.deepEqual(watch.faults, []));
  return page;
}

/** Opens one more tab of the same person. */
export async function openIn(context, url) {
  const page = await context.newPage();
  await page.goto(url);
  return page;
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

/** Asks, and waits until the answer is complete. */
export async function ask(page, text) {
  const { box, send, questions } = parts(page);
  const before = await questions.count();
  await box.fill(text);
  await send.click();
  await until('the question stands there', async () => (await questions.count()) > before, 20000);
  await send.waitFor({ timeout: within(40000) }); // in place of Stop
}

function watched(context, origin) {
  const faults = [];
  context.on('request', (request) => {
    const { protocol, origin: to } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol) && to !== origin) faults.push(`request: ${request.url()}`);
  });
  context.on('weberror', (error) => faults.push(`error: ${error.error().stack}`));
  context.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) faults.push(message.text());
  });
  return { faults };
}

function exists(path) {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}
