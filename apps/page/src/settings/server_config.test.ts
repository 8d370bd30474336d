import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configOf, pastedServers, type ServerFields } from './server_config.ts';

const fields = (some: Partial<ServerFields>): ServerFields => ({
  type: 'stdio', command: '', args: '', env: '', url: '', headers: '', ...some,
});

test('a form becomes an entry of mcpServers', () => {
  assert.deepEqual(configOf(fields({ command: ' node ', args: 'a b\n\n--c', env: 'A=1\nB=x=y' })), {
    type: 'stdio', command: 'node', args: ['a b', '--c'], env: { A: '1', B: 'x=y' },
  });
  const headers = 'Authorization: Bearer x:y\nX-Two: 2';
  assert.deepEqual(configOf(fields({ type: 'http', url: 'https://example.org/mcp', headers })), {
    type: 'http', url: 'https://example.org/mcp', headers: { Authorization: 'Bearer x:y', 'X-Two': '2' },
  });
});

test('a line that is none names its field', () => {
  assert.throws(() => configOf(fields({ env: 'A=1\nnothing' })), /env: nothing/);
  assert.throws(() => configOf(fields({ type: 'sse', headers: 'nothing' })), /headers: nothing/);
});

test('pasted servers may stand in mcpServers or alone', () => {
  const entry = { command: 'x' };
  assert.deepEqual(pastedServers(JSON.stringify({ mcpServers: { a: entry, b: entry } })), [['a', entry], ['b', entry]]);
  assert.deepEqual(pastedServers(JSON.stringify({ a: entry })), [['a', entry]]);
  for (const bad of ['', '{', '[]', '1', '{}', '{"a": 1}', '{"mcpServers": []}']) assert.throws(() => pastedServers(bad), bad);
});
