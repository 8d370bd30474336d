// The proxies that the environment names: who goes through them, and who does not.
import assert from 'node:assert/strict';
import http from 'node:http';
import test from 'node:test';
import { models, startModel, startTroupe } from '../support/servers.mjs';
import { takeTurn } from '../support/turns.mjs';

const timeout = 120000;
const noProxy = Object.fromEntries(
  ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy']
    .flatMap((name) => [[name, ''], [name.toUpperCase(), '']]),
);

/** A proxy that alone knows where `model.invalid` is; has `url` and `asked`, the URLs. */
async function startProxy(t, model) {
  const asked = [];
  const { hostname, port } = new URL(model.url);
  const server = http.createServer((request, response) => {
    asked.push(request.url);
    const { pathname } = new URL(request.url);
    const { method, headers } = request;
    const onward = http.request({ hostname, port, path: pathname, method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward.on('error', () => response.destroy()));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${server.address().port}`, asked };
}

async function start(t, environment) {
  const model = await startModel(t);
  const proxy = await startProxy(t, model);
  const far = models('http://model.invalid', ['text'], { maxAttempts: 1 }).text;
  const near = models(model.url, ['text'], { maxAttempts: 1 }).text;
  const env = { ...noProxy, ...environment(proxy) };
  const troupe = await startTroupe(t, { models: { far, near } }, { env });
  const ask = (name) => takeTurn(troupe.url, { message: 'hi', model: name });
  return { proxy, ask };
}

const lastOf = (turn) => turn.events.at(-1).type;

test('a model is asked through the proxy of the environment', { timeout }, async (t) => {
  const { proxy, ask } = await start(t, ({ url }) => ({ http_proxy: url }));
  for (const name of ['far', 'near', 'far']) assert.equal(lastOf(await ask(name)), 'SESSION_END');
  assert.equal(proxy.asked.length, 3);
  assert.equal(proxy.asked[0], 'http://model.invalid/v1/chat/completions');
  assert.match(proxy.asked[1], /^http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions$/);
});

test("the environment's exceptions are asked without it", { timeout }, async (t) => {
  const { proxy, ask } = await start(t, ({ url }) => ({ all_proxy: url, no_proxy: '127.0.0.1' }));
  for (const name of ['near', 'far', 'near']) assert.equal(lastOf(await ask(name)), 'SESSION_END');
  assert.deepEqual(proxy.asked, ['http://model.invalid/v1/chat/completions']);
});

test('without one nothing goes through a proxy', { timeout }, async (t) => {
  const { proxy, ask } = await start(t, ({ url }) => ({ HTTP_PROXY: url })); // CGI's, not a proxy's
  assert.equal(lastOf(await ask('near')), 'SESSION_END');
  assert.equal(lastOf(await ask('far')), 'SESSION_ERROR');
  assert.deepEqual(proxy.asked, []);
});
