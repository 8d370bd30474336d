// `troupe conversations` beside others who use the same chats, and with files of any length.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import test from 'node:test';
import { KeptIn } from '../support/kept_in.mjs';
import { settles, until, within } from '../support/patience.mjs';
import { Program, binary, run } from '../support/program.mjs';
import { folder, models, startModel, startTroupe } from '../support/servers.mjs';
import { atTerminal } from '../support/terminal.mjs';

const timeout = within(60000);

async function start(t) {
  const model = await startModel(t);
  const troupe = await startTroupe(t, {
    ...new KeptIn(t).config, models: models(model.url, ['text']), defaultModel: 'text',
  });
  const send = (method, rest, body) => fetch(`${troupe.url}/v1${rest}`, { method, body: body && JSON.stringify(body) });
  const ids = async () => (await (await send('GET', '/conversations')).json()).conversations.map(({ id }) => id).sort();
  const say = async (id) => {
    const answer = await send('POST', `/sessions/${id}/turns`, { message: 'hi' });
    assert.match(await answer.text(), /SESSION_END/);
  };
  return { ...troupe, send, ids, say };
}

const chat = (id, text = 'hi') => ({
  format: 'troupe.conversation', version: 1, info: { id }, messages: [{ message: { role: 'user', text } }],
});

test('what somebody has gone on with since it was listed is not deleted', { timeout }, async (t) => {
  const { url, ids, say } = await start(t);
  const remove = (...args) => atTerminal(t, binary('troupe'), ['conversations', 'delete', ...args, '--server', url]);
  for (const id of ['bench-1', 'bench-2', 'other']) await say(id);
  const asked = remove('bench-*');
  await asked.shows(/Delete 2 conversations for good\?/);
  await say('bench-1');
  await asked.type(/ /, 'y');
  await asked.shows(/bench-1: was changed meanwhile, so it stays[^]*1 of 2 deleted/);
  assert.equal((await asked.exit).code, 1);
  assert.deepEqual(await ids(), ['bench-1', 'other']);
  const older = remove('--before', '2099-12-31');
  await older.shows(/Delete 2 conversations for good\?/);
  await say('other');
  await older.type(/ /, 'y');
  await older.shows(/other: was changed meanwhile, so it stays[^]*1 of 2 deleted/);
  assert.equal((await older.exit).code, 0, 'it is not meant any more');
  assert.deepEqual(await ids(), ['other']);
});

test('another model is chosen beside the servers that somebody chooses meanwhile', { timeout }, async (t) => {
  const puts = [];
  let version = 1;
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.setHeader('etag', `W/"v${version}"`);
      return response.end(JSON.stringify({ model: null, mcpServers: version === 1 ? null : ['theirs'] }));
    }
    request.setEncoding('utf8').on('data', (body) => puts.push([request.headers['if-match'], JSON.parse(body)]));
    return request.on('end', () => {
      const changed = version === 1;
      version = 2;
      response.statusCode = changed ? 412 : 200;
      response.end(changed ? '{"error":{"code":"conversation_changed","message":"changed"}}' : '{"model":"m","mcpServers":["theirs"]}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { code, stderr } = await run(binary('troupe'), [
    'conversations', 'overrides', 'c', '--model', 'm', '--server', `http://127.0.0.1:${server.address().port}`,
  ]);
  assert.equal(code, 0, stderr);
  assert.deepEqual(puts, [
    ['"v1"', { model: 'm', mcpServers: null }], ['"v2"', { model: 'm', mcpServers: ['theirs'] }],
  ]);
});

test('an import has no more of its file in memory than a conversation', { timeout }, async (t) => {
  const { url, ids } = await start(t);
  const importing = new Program(binary('troupe'), ['conversations', 'import', '--server', url], { input: 'pipe' });
  t.after(() => importing.signal('SIGKILL'));
  const { stdin } = importing.child;
  const line = (id) => `${JSON.stringify(chat(id, 'long '.repeat(50000)))}\n`;
  for (const id of ['a', 'b']) {
    stdin.write(`\n${line(id)}`);
    await until('it is there before the next one', async () => (await ids()).includes(id));
  }
  stdin.end('{"format":\n\n"troupe.conversation"}');
  const { code } = await settles('it ends', importing.exit, 20000);
  assert.equal(code, 2);
  assert.match(importing.stderr, /standard input, conversation 3: [^]*standard input, conversation 4: [^]*\n2 of 4 imported\n$/);
});

test('a file has a conversation on each line, or one on many', { timeout }, async (t) => {
  const where = folder(t);
  const file = path.join(where, 'some.json');
  const take = (text, ...args) => {
    writeFileSync(file, text);
    return run(binary('troupe'), ['conversations', 'import', file, '--data', path.join(where, 'data'), ...args]);
  };
  const says = async (text, code, stderr, ...args) => {
    const ended = await take(text, ...args);
    assert.deepEqual([ended.code, ended.stderr.replaceAll(`${file}`, 'FILE')], [code, stderr]);
  };
  const one = (id) => JSON.stringify(chat(id));
  await says(`\n  ${JSON.stringify(chat('spread'), null, 2)}\n\n`, 0, '1 of 1 imported\n');
  await says(`${one('a')}\r\n \n${one('b')}`, 0, '2 of 2 imported\n');
  await says('\n \n', 2, 'troupe: FILE: there is nothing in it\n0 of 0 imported\n');
  await says(`${one('c')}\n\n${one('d')}\n`, 2, 'troupe: --id is for a file with one conversation\n', '--id', 'e');
  await says(`${one('c')}\n\n`, 0, '1 of 1 imported\n', '--id', 'e');
  const broken = await take(`${one('f').slice(0, -1)}\n${one('f')}\n${one('a')}\n`);
  assert.equal(broken.code, 1);
  assert.match(broken.stderr, /conversation 1: .* at byte \d+[^]*conversation 3: [^]*\n1 of 3 imported\n$/);
  const none = await run(binary('troupe'), ['conversations', 'import', where, '--data', path.join(where, 'data')]);
  assert.deepEqual([none.code, none.stderr], [2, `troupe: ${where}: Is a directory\n`]);
});
