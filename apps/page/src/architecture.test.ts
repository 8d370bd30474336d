import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import en from './i18n/en.json';
import zh from './i18n/zh.json';

const top = fileURLToPath(import.meta.url);
const files = (readdirSync(top, { recursive: true }) as string[]).filter(
  (name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'),
);
const read = (name: string) => readFileSync(path.join(top, name), 'utf8');

/** Which folders of the page a folder may import; each may import itself. */
const arrows: Record<string, string[]> = {
  server: [],
  i18n: [],
  state: ['server'],
  view: ['state', 'server', 'i18n'],
  markdown: ['view', 'i18n'],
  canvas: ['view', 'state', 'i18n'],
  sidebar: ['view', 'state', 'server', 'i18n', '.'],
  chat: ['canvas', 'markdown', 'view', 'state', 'server', 'i18n'],
  settings: ['chat', 'view', 'state', 'server', 'i18n'],
};

function importsOf(name: string): string[] {
  return [...read(name).matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, to]) =>
    path.posix.normalize(path.posix.join(path.posix.dirname(name), to!)),
  );
}

test('folders of the page import each other in one direction', () => {
  const wrong = files.flatMap((name) => {
    const from = name.includes('/') ? name.split('/', 1)[0]! : '.';
    const allowed = arrows[from];
    if (allowed === undefined) return from === '.' ? [] : [`${name}: an unknown folder`];
    return importsOf(name)
      .map((to) => (to.includes('/') ? to.split('/', 1)[0]! : '.'))
      .filter((to) => to !== from && !allowed.includes(to))
      .map((to) => `${name} imports ${to}`);
  });
  assert.deepEqual(wrong, []);
});

test('no file of the page has more than 150 lines, or 175 where it lists routes', () => {
  const long = files.filter((name) => read(name).split('\n').length > (name === 'server/mcp.ts' ? 175 : 151));
  assert.deepEqual(long, []);
});

test('nothing turns text into HTML, code or styles', () => {
  const forbidden = /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|\beval\(|new Function|document\.write|\sstyle=/;
  assert.deepEqual(files.filter((name) => forbidden.test(read(name))), []);
});

test('the policy of zod is set before the AI SDK is imported', () => {
  const imports = [...read('main.tsx').matchAll(/import '([^']+)'|from '([^']+)'/g)];
  assert.equal(imports[0]![1], './jitless.ts');
});

test('both languages have the same texts with the same blanks, and all are used', () => {
  const blanks = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort(); // both halves of "1 tool|{count} tools"
  assert.deepEqual(Object.keys(zh), Object.keys(en));
  for (const [key, text] of Object.entries(en))
    assert.deepEqual(blanks((zh as Record<string, string>)[key]!), blanks(text), key);
  const all = files.map(read).join('\n');
  assert.deepEqual(Object.keys(en).filter((key) => !new RegExp(`'${key}'`).test(all)), []);
});
