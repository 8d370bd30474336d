// `troupe conversations` beside others who use the same chats.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import test from 'node:test';
import { KeptIn } from '../support/kept_in.mjs';
import { within } from '../support/patience.mjs';
import { binary, run } from '../support/program.mjs';
import { models, startModel, startTroupe } from '../support/servers.mjs';
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
