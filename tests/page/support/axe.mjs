// axe-core on what a page shows now.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Fails with what axe finds, or if something is wider than the window. Axe runs in a world of its
 * own, which the page's policy does not touch.
 */
export async function assertAccessible(page, what) {
  await page.evaluate(() => Promise.all(document.getAnimations().filter((each) => each.effect.getComputedTiming().endTime !== Infinity).map((each) => each.finished.catch(() => {}))));
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id });
  const run = async (expression) =>
    (await session.send('Runtime.evaluate', { expression, contextId, awaitPromise: true, returnByValue: true })).result.value;
  await run(axe);
  const found = await run(`axe.run({runOnly: ${JSON.stringify(rules)}}).then(({violations}) =>
    JSON.stringify(violations.map((v) => v.id + ': ' + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160) + ' ' + (n.failureSummary ?? '').replace(/\\s+/g, ' ').slice(0, 200)).join(' | '))))`);
  await session.detach();
  assert.deepEqual(JSON.parse(found), [], what);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `${what}: nothing is wider than the window (${wide})`);
}
