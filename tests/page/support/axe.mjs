// axe-core on what a page shows now.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const sessions = new WeakMap(); // by page

/** Fails with what axe finds, or if something is wider than the window. */
export async function assertAccessible(page, what) {
  await page.evaluate(() => {
    const ending = document.getAnimations().filter((each) => each.effect.getComputedTiming().endTime !== Infinity);
    return Promise.all(ending.map((each) => each.finished.catch(() => {})));
  });
  const run = await besidePage(page);
  if ((await run('typeof axe')) !== 'object') await run(axe);
  const found = await run(`axe.run({runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations']}).then(({violations}) =>
    violations.map((v) => v.id + ': ' + v.nodes.slice(0, 3).map((n) =>
      n.html.slice(0, 160) + ' ' + (n.failureSummary ?? '').replace(/\\s+/g, ' ').slice(0, 200)).join(' | ')))`);
  assert.deepEqual(found, [], what);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${what}: nothing is wider than the window (${wide})`);
}

/** Resolves with what runs code in a world of its own in the page, which the page's policy does not touch. */
async function besidePage(page) {
  if (!sessions.has(page)) sessions.set(page, await page.context().newCDPSession(page));
  const session = sessions.get(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const world = { frameId: frameTree.frame.id, worldName: 'axe' }; // the same until the page is left
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', world);
  return async (expression) => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', { expression, contextId, awaitPromise: true, returnByValue: true });
    assert.equal(exceptionDetails, undefined, JSON.stringify(exceptionDetails));
    return result.value;
  };
}
