// docs/own_page.md: the page that it shows, as it stands there, behind Vite's proxy as it stands there.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { until } from '../integration/support/patience.mjs';
import { folder } from '../integration/support/servers.mjs';
import { browser, emptyTab } from './support/browser.mjs';
import { startServer } from './support/server.mjs';

const timeout = 280000;
const root = fileURLToPath(new URL('../../', import.meta.url));
const packages = path.join(root, 'apps/page/node_modules');
const lines = readFileSync(path.join(root, 'docs/own_page.md'), 'utf8').split('\n');

/** The file that stands below a line. */
function fileBelow(title) {
  const begin = lines.findIndex((line) => line.includes(title)) + 1;
  const end = lines.findIndex((line, i) => i > begin && line !== '' && !line.startsWith('    '));
  return lines.slice(begin, end).map((line) => line.slice(4)).join('\n');
}

/** Serves the page with Vite; React is Preact, which the server's own page has installed. */
async function serve(t, troupe) {
  const place = folder(t);
  mkdirSync(path.join(place, 'src'));
  symlinkSync(packages, path.join(place, 'node_modules'));
  writeFileSync(path.join(place, 'src/main.tsx'), fileBelow('`src/main.tsx`:'));
  const config = fileBelow('`vite.config.ts`:').replaceAll('http://127.0.0.1:8080', troupe);
  writeFileSync(path.join(place, 'vite.config.mjs'), config);
  writeFileSync(path.join(place, 'index.html'), '<div id="root"></div><script type="module" src="/src/main.tsx"></script>');
  const vite = await import(pathToFileURL(createRequire(path.join(root, 'apps/page/package.json')).resolve('vite')).href.replace(/index\.cjs$/, 'dist/node/index.js'));
  const server = await vite.createServer({
    root: place, configFile: path.join(place, 'vite.config.mjs'), logLevel: 'error', cacheDir: path.join(place, '.vite'),
    // What is found only while the page loads has Vite load it once more, and a slow machine may miss that.
    optimizeDeps: { include: ['@ai-sdk/react', 'ai', 'preact/compat', 'preact/compat/client', 'preact/jsx-runtime', 'preact/jsx-dev-runtime'] },
    server: { port: 0, host: '127.0.0.1', fs: { strict: false } },
    resolve: { alias: { 'react-dom/client': 'preact/compat/client', 'react-dom': 'preact/compat', react: 'preact/compat' }, preserveSymlinks: true },
    esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  });
  await server.listen();
  t.after(() => server.close());
  return `http://127.0.0.1:${server.httpServer.address().port}`;
}

test('the page of docs/own_page.md chats, uses tools, asks, is joined again, and stops', { timeout }, async (t) => {
  const troupe = await startServer(t, ['call', 'paced-50-3000'], { demo: true, toolApproval: 'always' });
  const url = await serve(t, troupe.url);
  const context = await (await browser()).newContext();
  t.after(() => context.close());
  const page = await emptyTab(context);
  const faults = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  const send = async (text) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
  };
  await page.goto(`${url}/#one`);
  await send('use a tool');
  await page.getByRole('button', { name: 'Allow' }).click();
  await until('the tool was run', async () => (await page.locator('pre').count()) > 0);
  await page.getByRole('button', { name: 'Send' }).waitFor();
  const said = await page.getByRole('article', { name: 'assistant' }).last().innerText();
  await page.reload();
  await until('it is all there again', async () => (await page.getByRole('article', { name: 'assistant' }).last().innerText()) === said);

  await fetch(`${troupe.url}/v1/conversations/one/overrides`, {
    method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{"model":"paced-50-3000"}',
  });
  const answers = page.getByRole('article', { name: 'assistant' });
  const before = await answers.count();
  await send('speak for long');
  await until('it begins', async () => (await answers.count()) > before && /\w/.test(await answers.last().innerText()));
  await page.reload();
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Send' }).waitFor();
  await until('the turn itself has ended', async () => (await troupe.status()).runningTurns === 0);
  assert.deepEqual(faults, []);
});
