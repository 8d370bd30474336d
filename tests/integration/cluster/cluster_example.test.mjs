// docs/cluster/: three nodes behind nginx, as docs/cluster.md shows them, on other ports.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { settles, slowness, until } from '../support/patience.mjs';
import { Postgres } from '../support/postgres.mjs';
import { Program, binary } from '../support/program.mjs';
import { folder, freePort } from '../support/servers.mjs';
import { newSession, takeTurn } from '../support/turns.mjs';
import { Connection } from '../support/websocket.mjs';

const timeout = 120000 * slowness;
const example = fileURLToPath(new URL('../../../docs/cluster', import.meta.url));

/** Copies the example with free ports in place of its own. */
async function copied(t) {
  const made = folder(t);
  cpSync(example, made, { recursive: true });
  const ports = new Map();
  for (const port of [8080, 8081, 8082, 8083, 8091, 8092, 8093]) ports.set(String(port), String(await freePort()));
  for (const name of readdirSync(made)) {
    const file = path.join(made, name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/\b80[89]\d\b/g, (port) => ports.get(port)));
  }
  return { script: path.join(made, 'start.sh'), port: (shown) => ports.get(String(shown)) };
}

test('the example of the documentation runs', { timeout }, async (t) => {
  const postgres = await Postgres.start(t);
  const { script, port } = await copied(t);
  const program = new Program(script, [], {
    env: { STORE: postgres.url, CLUSTER_SECRET: 'a secret of the example', TROUPE: binary('troupe') },
  });
  t.after(() => program.end());
  const url = `http://127.0.0.1:${port(8080)}`;
  for (const node of [8081, 8082, 8083])
    await until(`node ${node} is ready`, async () => (await fetch(`http://127.0.0.1:${port(node)}/readyz`)).status === 200, 20000);
  await until('nginx answers', async () => (await fetch(`${url}/readyz`)).status === 200, 20000);

  const session = newSession();
  for (let turn = 0; turn < 6; turn += 1) await takeTurn(url, { message: `turn ${turn}` }, { session });
  const { messages } = await (await fetch(`${url}/v1/conversations/${session}`)).json();
  assert.equal(messages.filter(({ role }) => role === 'user').length, 6);

  const connection = await Connection.open({ url });
  const chat = connection.start(newSession(), { message: 'over a socket' });
  await chat.ends();
  const last = { session: newSession() };
  const running = takeTurn(url, { message: 'the end', model: 'paced' }, last);
  await until('it runs', async () => {
    const answer = await fetch(`${url}/v1/sessions/${last.session}/events`);
    await answer.body?.cancel();
    return answer.status === 200;
  });
  program.signal('SIGTERM'); // the nodes end their turns first
  await running;
  assert.deepEqual(await settles('all of it ends', program.exit, 60000), { code: 0, signal: null });
});
