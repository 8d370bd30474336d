// How the page is built: the same bytes wherever that is done, and left out with a reason where it cannot be.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { binary, run } from '../integration/support/program.mjs';
import { folder } from '../integration/support/servers.mjs';
import { startServer } from './support/server.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = path.join(root, 'apps/page');

const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** The files of a built page with digests of their bytes, but for those that are compressed for the program. */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true }).filter((name) => /[.](?!br$|gz$)\w+$/.test(name)).sort()
    .map((name) => [name, digest(readFileSync(path.join(folder, name)))]);

test('two builds in two folders give the same bytes: that of the program, and another', { timeout: 280000 }, async (t) => {
  const [copy, out] = [path.join(folder(t), 'elsewhere'), path.join(folder(t), 'out')];
  cpSync(source, copy, { recursive: true, filter: (name) => !/node_modules|dist/.test(path.relative(source, name)) });
  symlinkSync(path.join(source, 'node_modules'), path.join(copy, 'node_modules'));
  const vite = path.join(source, 'node_modules/vite/bin/vite.js');
  const node = process.env.TROUPE_NODE ?? process.execPath; // that of the program's own build
  const { code, stderr } = await run(node, [vite, 'build', '--logLevel', 'error', '--outDir', out], { cwd: copy, milliseconds: 120000 });
  assert.equal(code, 0, stderr);
  const built = filesIn(out);
  assert.ok(built.length > 15);
  assert.deepEqual(filesIn(path.join(path.dirname(binary('troupe')), '../page/dist')), built);
  const { url } = await startServer(t, ['text']);
  const script = built.find(([name]) => name.endsWith('.js'));
  const served = await (await fetch(`${url}/${script[0]}`)).arrayBuffer();
  assert.equal(digest(Buffer.from(served)), script[1]);
});

/**
 * Configures a small program with the page's CMake module; `tools` is CMake that says what the machine has.
 * Resolves with what CMake said, and where it succeeded and the program has no page, with the reason it gives.
 */
async function configure(t, tools, { page = 'AUTO', env = {} } = {}) {
  const top = folder(t);
  for (const name of ['cmake', 'apps/troupe', 'apps/engine']) {
    mkdirSync(path.join(top, path.dirname(name)), { recursive: true });
    symlinkSync(path.join(root, name), path.join(top, name));
  }
  mkdirSync(path.join(top, 'apps/page'));
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) cpSync(path.join(source, name), path.join(top, 'apps/page', name));
  writeFileSync(path.join(top, 'main.cpp'), `#include <cstdio>
#include "apps/troupe/page.hpp"
int main() { std::puts(troupe::why_no_page().data()); }
`);
  writeFileSync(path.join(top, 'CMakeLists.txt'), `cmake_minimum_required(VERSION 3.25)
project(small CXX)
set(CMAKE_CXX_STANDARD 20)
${tools}
include(cmake/TroupePage.cmake)
add_executable(small main.cpp)
target_include_directories(small PRIVATE "\${PROJECT_SOURCE_DIR}")
troupe_page(small)
`);
  const out = path.join(top, 'build');
  const { code, stdout, stderr } = await run('cmake', ['-S', top, '-B', out, `-DTROUPE_PAGE=${page}`], { env: { ...process.env, ...env }, milliseconds: 60000 });
  const said = (stdout + stderr).replace(/\s+/g, ' ');
  if (code !== 0) return { code, said };
  const built = await run('cmake', ['--build', out], { milliseconds: 60000 });
  assert.equal(built.code, 0, built.stdout + built.stderr);
  return { code, said, reason: (await run(path.join(out, 'small'), [])).stdout.trim() };
}

/** A machine that has these programs and no others that the page looks for. */
const machine = (t, programs) => {
  const bin = folder(t);
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(bin, name), 0o755);
  }
  return `set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)
set(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH OFF)
set(CMAKE_PROGRAM_PATH "${bin}")`;
};
const node = `exec "${process.execPath}" "$@"`;

test('a program that has no page says why', { timeout: 200000 }, async (t) => {
  await t.test('without node', async (t) => {
    const { code, said, reason } = await configure(t, machine(t, {}));
    assert.equal(code, 0, said);
    assert.match(said, /The program has no web page: there is no node with npm \(Debian: apt-get install nodejs npm\)\./);
    assert.equal(reason, 'there is no node with npm (Debian: apt-get install nodejs npm)');
  });

  await t.test('with a node that is too old', async (t) => {
    const { reason } = await configure(t, machine(t, { node: 'echo 16', npm: 'exit 1' }));
    assert.equal(reason, 'node must be 18 or newer');
  });

  await t.test('where the packages cannot be had', async (t) => {
    const { reason, said } = await configure(t, machine(t, { node, npm: 'echo "no network" >&2; exit 1' }));
    assert.match(reason, /^its node packages cannot be installed; is there a network\? See .*npm\.log$/, said);
    assert.match(readFileSync(reason.replace(/^.* See /, ''), 'utf8'), /no network/);
  });

  await t.test('where it was left out', async (t) => {
    const { reason } = await configure(t, machine(t, {}), { page: 'OFF' });
    assert.equal(reason, 'it was left out: -DTROUPE_PAGE=OFF');
  });

  await t.test('who insists on the page gets an error in its place', async (t) => {
    const { code, said } = await configure(t, machine(t, {}), { page: 'ON' });
    assert.notEqual(code, 0);
    assert.match(said, /The web page cannot be built: there is no node with npm/);
  });
});
