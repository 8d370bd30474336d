// Two builds of the page in two folders give the same bytes.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../integration/support/program.mjs';
import { folder } from '../integration/support/servers.mjs';

const source = fileURLToPath(new URL('../../apps/page', import.meta.url));

/** Builds the page of a folder; resolves with its files and their bytes. */
async function build(from, to) {
  const vite = path.join(source, 'node_modules/vite/bin/vite.js');
  const { code, stderr } = await run(process.execPath, [vite, 'build', '--logLevel', 'error', '--outDir', to, '--emptyOutDir'], { cwd: from, milliseconds: 120000 });
  assert.equal(code, 0, stderr);
  const names = readdirSync(to, { recursive: true }).filter((name) => name.includes('.')).sort();
  return names.map((name) => [name, readFileSync(path.join(to, name)).toString('base64')]);
}

test('two builds in two folders give the same bytes', { timeout: 280000 }, async (t) => {
  const copy = path.join(folder(t), 'elsewhere');
  cpSync(source, copy, { recursive: true, filter: (name) => !/node_modules|dist/.test(path.relative(source, name)) });
  symlinkSync(path.join(source, 'node_modules'), path.join(copy, 'node_modules'));
  const first = await build(source, path.join(folder(t), 'one'));
  assert.ok(first.length > 15);
  assert.deepEqual(await build(copy, path.join(folder(t), 'two')), first);
});
