// Runs the tests of the page's pure parts: bundles each src/**/*.test.ts for node and hands all to
// node's test runner. Works on node 18, 20 and 22.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

const here = path.dirname(new URL(import.meta.url).pathname);
const out = mkdtempSync(path.join(tmpdir(), 'troupe-page-'));
const files = readdirSync(path.join(here, 'src'), { recursive: true })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => path.join(here, 'src', name));

await build({
  entryPoints: files,
  outdir: out,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node18',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  define: { 'import.meta.url': JSON.stringify(`file://${here}/src/`) },
});
const tests = readdirSync(out, { recursive: true }).filter((name) => name.endsWith('.mjs'));
const { status } = spawnSync(process.execPath, ['--test', ...tests.map((name) => path.join(out, name))], {
  stdio: 'inherit',
});
rmSync(out, { recursive: true, force: true });
process.exitCode = status ?? 1;
