// What the models of these tests stand on: it reads a request, and minds what it says.
import assert from 'node:assert/strict';
import http from 'node:http';
import { here } from './network.mjs';
import { assertValidHistory } from './store_history.mjs';

/**
 * Starts a server that calls `respond(body, response, request)` with each request's parsed body, and
 * resolves with its address. The test fails if a request for a chat completion says what OpenAI refuses.
 */
export async function startModelServer(t, respond) {
  const mistakes = [];
  // Behind what the test has put in its way so far: what follows a hook that fails is not called.
  const note = (mistake) => mistakes.push(mistake) === 1 && t.after(() => assert.deepEqual(mistakes, []));
  const server = http.createServer(async (request, response) => {
    response.on('error', () => {});
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += piece;
    const body = JSON.parse(text);
    try {
      if (/\/chat\/completions(\?|$)/.test(request.url)) assertValidHistory(body.messages);
    } catch ({ message }) {
      note(message);
    }
    await respond(body, response, request);
  });
  await new Promise((resolve) => server.listen(0, here, 2048, resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://${here}:${server.address().port}`;
}
