// MCP servers as time goes by: slow beginnings, late tools, changes, crashes, removal, shutdown.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { startFakeModel } from '../integration/support/fake_model.mjs';
import { startFaultServers } from '../integration/support/faults/fault_host.mjs';
import { settles, until } from '../integration/support/patience.mjs';
import { connected, demoServer, everythingInMode, everythingOverHttp, everythingOverStdio, startTroupe } from '../integration/support/servers.mjs';
import { ask, openPage, parts } from './support/browser.mjs';
import { firstTries, startServer } from './support/server.mjs';

const late = fileURLToPath(new URL('../integration/support/late_server.mjs', import.meta.url));

/** A web server that answers when it is let; has `url`, `heads` of what was asked, and open(). */
async function startGate(t) {
  const held = [];
  const heads = [];
  let isOpen = false;
  const answer = (response) => response.writeHead(404, { 'content-type': 'text/plain' }).end('not here');
  const server = http.createServer((request, response) => {
    heads.push(request.headers);
    if (isOpen) answer(response);
    else held.push(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => (server.closeAllConnections(), server.close()));
  const open = () => ((isOpen = true), held.forEach(answer));
  return { url: `http://127.0.0.1:${server.address().port}`, heads, open };
}

test('MCP servers that change', { timeout: 280000 }, async (t) => {
  const troupe = await startServer(t, ['echo'], {
    mcpServers: { everything: everythingOverStdio(), demo: demoServer(), broken: { command: '/nowhere/at-all' } },
  });
  await connected(troupe, 'everything');
  await connected(troupe, 'demo');
  const page = await openPage(t, `${troupe.url}/#/settings`);
  const region = page.getByRole('region', { name: 'MCP servers' });
  const server = (name) => region.getByRole('listitem', { name, exact: true });
  const form = page.getByRole('dialog', { name: 'Add server' });
  const open = async (name, what) => {
    await server(name).getByRole('button', { name: 'Details' }).click();
    await server(name).getByText(what, { exact: true }).click();
  };
  /** Calls a tool of a server whose tools are listed, by hand. */
  const call = async (name, said) => {
    await page.getByRole('button', { name: `Try ${name}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Call' }).click();
    await page.getByRole('dialog').getByText(said).first().waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  };

  await t.test('one that is slow to begin is shown as connecting, and chats go on meanwhile', async (t) => {
    const gate = await startGate(t);
    await page.getByRole('button', { name: 'Add server' }).click();
    await form.getByLabel('Name', { exact: true }).fill('late');
    await form.getByLabel('Command').fill(process.execPath);
    await form.getByLabel(/^Arguments/).fill(late);
    await form.getByLabel(/^Environment/).fill(`LATE_URL=${gate.url}`);
    await form.getByRole('button', { name: 'Save' }).click();
    await server('late').getByText('connecting').waitFor();
    await server('late').getByText('Initializing').waitFor();
    const other = await openPage(t, troupe.url);
    await ask(other, 'meanwhile');
    assert.match(await parts(other).answers.innerText(), /meanwhile/);
    gate.open();
    await server('late').getByText('success').waitFor();
    await server('late').getByText('1 tool ·').waitFor();
  });

  await t.test('a tool that comes later is shown, and the next question has it', async (t) => {
    await open('late', '1 tool');
    await call('grow', 'grow is done.');
    await server('late').getByText('2 tools ·').waitFor();
    await page.getByRole('button', { name: 'Try grown' }).waitFor();
    const other = await openPage(t, troupe.url);
    await ask(other, 'what can you do?');
    const tools = (await troupe.model.requests()).at(-1).body.tools.map((each) => each.function.name);
    assert.ok(tools.some((name) => name.endsWith('grown')), tools.join());
    await server('late').getByRole('button', { name: 'Less' }).click();
  });

  await t.test('a server is reached by its address, over each transport of the web', async (t) => {
    const faults = await startFaultServers(t);
    const [http, sse] = await Promise.all([everythingOverHttp(t), everythingInMode(t, 'sse')]);
    for (const [label, entry] of [['HTTP', http], ['HTTP+SSE', sse], ['WebSocket', faults.entry('websocket', 'page')]]) {
      const name = `far-${entry.type}`;
      await page.getByRole('button', { name: 'Add server' }).click();
      await form.getByLabel('Name', { exact: true }).fill(name);
      await form.getByLabel('Transport').selectOption({ label });
      await form.getByLabel('URL').fill(entry.url);
      await form.getByRole('button', { name: 'Save' }).click();
      await server(name).getByText('success').waitFor();
      await server(name).getByText(/[1-9]\d* tools? ·/).waitFor();
      await page.getByRole('button', { name: `Remove ${name}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
      await server(name).waitFor({ state: 'detached' });
    }
  });

  await t.test('all headers are sent, are never shown again, and a refusal says why', async (t) => {
    const gate = await startGate(t);
    gate.open();
    await page.getByRole('button', { name: 'Add server' }).click();
    await form.getByLabel('Name', { exact: true }).fill('locked');
    await form.getByLabel('Transport').selectOption('HTTP');
    await form.getByLabel('URL').fill(`${gate.url}/mcp`);
    await form.getByLabel(/^Headers/).fill('Authorization Bearer hush');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('alert').getByText('headers cannot be read: Authorization Bearer hush').waitFor();
    await form.getByLabel(/^Headers/).fill('Authorization: Bearer hush-1\nX-Team: red\nX-Third: 3');
    await form.getByRole('button', { name: 'Save' }).click();
    await server('locked').getByText(/^error/).first().waitFor();
    await until('all three were sent', () => gate.heads.some((each) => each.authorization === 'Bearer hush-1' && each['x-team'] === 'red' && each['x-third'] === '3'));
    await server('locked').getByText(/404/).first().waitFor();
    await server('locked').getByRole('button', { name: 'Details' }).click();
    await page.getByRole('button', { name: 'Change locked' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change locked' });
    await dialog.getByText(/never shown/).waitFor();
    assert.doesNotMatch(await page.content(), /hush/);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('switch', { name: 'Enable locked' }).click();
  });

  await t.test('a program that ends says with which code, and what it wrote last', async () => {
    await page.getByRole('button', { name: 'Add server' }).click();
    await form.getByLabel('Name', { exact: true }).fill('short');
    await form.getByLabel('Command').fill('/bin/sh');
    await form.getByLabel(/^Arguments/).fill('-c\necho the token is missing >&2; exit 3');
    await form.getByRole('button', { name: 'Save' }).click();
    await server('short').getByText(/exit status 3/).first().waitFor();
    await server('short').getByText(/the token is missing/).first().waitFor();
    await server('short').getByText(/attempt \d+, next in \d+ s/).waitFor();
    await page.getByRole('switch', { name: 'Enable short' }).click();
    await server('short').getByText('idle').waitFor(); // and stays in the list
  });

  await t.test('one that is given up says so, with its reason and its log, until it is tried by hand', async () => {
    await page.getByRole('button', { name: 'Add server' }).click();
    await form.getByText('Paste JSON instead').click();
    const entry = { command: '/bin/sh', args: ['-c', 'echo still no token >&2; exit 4'], maxReconnects: 1 };
    await form.getByLabel(/mcpServers object/).fill(JSON.stringify({ mcpServers: { tired: entry } }));
    await form.getByRole('button', { name: 'Save' }).click();
    await server('tired').getByText('GivenUp').waitFor();
    await server('tired').getByText(/exit status 4/).first().waitFor();
    await server('tired').getByRole('button', { name: 'Details' }).click();
    await server('tired').getByText('Log', { exact: true }).click();
    await server('tired').getByRole('group', { name: 'Log of tired' }).filter({ hasText: 'still no token' }).waitFor();
    const begun = await firstTries(troupe, 'tired');
    await page.getByRole('button', { name: 'Retry tired' }).click();
    await until('it is tried again', async () => (await firstTries(troupe, 'tired')) > begun);
    await server('tired').getByText('GivenUp').waitFor();
    await page.getByRole('button', { name: 'Remove tired' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await server('tired').waitFor({ state: 'detached' });
  });

  await t.test('a resource is made of a template: fields, completion, a text, and bytes to save', async () => {
    await open('everything', '2 resource templates');
    const fill = async (name) => {
      await page.getByRole('button', { name: `Fill in ${name}` }).click();
      const dialog = page.getByRole('dialog', { name });
      await dialog.getByLabel('resourceId *').fill('7');
      await until('the server completes it', () => dialog.locator('datalist option[value="7"]').count());
      await dialog.getByRole('button', { name: 'Read' }).click();
    };
    await fill('Dynamic Text Resource');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Resource 7: This is a plaintext resource').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await fill('Dynamic Blob Resource');
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: /^Save/ }).click();
    assert.match(readFileSync(await (await download).path(), 'utf8'), /^Resource 7: This is a base64 blob/);
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  await t.test('a resource that is followed and changes has a badge until it is read', async () => {
    const resource = page.getByRole('button', { name: 'Read architecture.md' });
    await server('everything').getByText('7 resources', { exact: true }).click();
    await resource.click();
    const dialog = page.getByRole('dialog', { name: 'architecture.md' });
    await dialog.getByRole('button', { name: 'Follow' }).click();
    await dialog.getByRole('button', { name: 'Follow', pressed: true }).waitFor();
    await dialog.getByText('Changes of this resource are shown.').waitFor(); // in front, not behind
    await dialog.getByRole('button', { name: 'Close' }).click();
    const badge = server('everything').getByText('changed', { exact: true });
    assert.equal(await badge.count(), 0);
    await server('everything').getByText('18 tools', { exact: true }).click();
    await call('toggle-subscriber-updates', 'Started');
    await until('the card and the resource say so', async () => (await badge.count()) === 2);
    await call('toggle-subscriber-updates', 'Stopped');
    await resource.click();
    await dialog.getByRole('group', { name: /^Result of/ }).waitFor();
    await dialog.getByRole('button', { name: 'Follow', pressed: true }).click();
    await dialog.getByRole('button', { name: 'Follow', pressed: false }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await until('the badge is gone', async () => (await badge.count()) === 0);
  });

  await t.test('an address that a server wants visited is shown whole, and is opened by nobody but its reader', async () => {
    const url = 'https://login.example/oauth?client=troupe&state=0123456789';
    await page.getByRole('button', { name: 'Try trigger-url-elicitation' }).click();
    const tool = page.getByRole('dialog', { name: 'Trigger URL Elicitation Tool' });
    await tool.getByLabel('url *').fill(url);
    await tool.getByRole('button', { name: 'Call' }).click();
    const question = page.getByRole('dialog', { name: 'Question from everything' });
    const link = question.getByRole('link', { name: url });
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer');
    await question.getByRole('button', { name: 'Decline' }).click();
    await question.waitFor({ state: 'detached' });
    await tool.getByRole('group', { name: /^Result of/ }).filter({ hasText: /declin/i }).first().waitFor();
    await tool.getByRole('button', { name: 'Close' }).click();
  });

  await t.test('a server that crashes says so and comes back; a chat says whose tools are missing', async (t) => {
    await open('demo', '8 tools');
    await page.getByRole('button', { name: 'Try crash' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Call' }).click();
    await dialog.getByRole('alert').getByText(/\w{4}/).first().waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await server('demo').getByText('success').waitFor();
    await server('demo').getByText('Log', { exact: true }).click();
    await server('demo').getByRole('group', { name: 'Log of demo' }).filter({ hasText: /exit status 1/i }).waitFor();
    const other = await openPage(t, troupe.url);
    const missing = other.getByRole('note').filter({ hasText: 'Not connected, so their tools are missing: broken' });
    await missing.getByRole('link', { name: 'Show servers' }).waitFor();
    await missing.getByRole('button', { name: 'Dismiss' }).click();
    await missing.waitFor({ state: 'detached' });
  });

  await t.test('a removal names the calls that run, and these end in words', async () => {
    await connected(troupe, 'demo');
    const running = fetch(`${troupe.url}/v1/mcp/tools/call`, {
      method: 'POST', headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ server: 'demo', tool: 'hang', arguments: {} }),
    });
    await until('it runs', async () => (await troupe.status()).activeFlows === 1);
    await region.getByText('1 call is running.').waitFor();
    await page.getByRole('button', { name: 'Remove demo' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove demo?' });
    await dialog.getByText('1 call is running.').waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await server('demo').waitFor({ state: 'detached' });
    const { error } = await (await settles('the call ends', running)).json();
    assert.match(error.message, /\w{4}/);
    await region.getByText('1 call is running.').waitFor({ state: 'detached' });
  });
});

test('a server that is shut down while a tool runs', { timeout: 280000 }, async (t) => {
  const model = await startFakeModel(t, () => ({ calls: [{ name: 'hang', arguments: {} }] }));
  const troupe = await startTroupe(t, {
    models: { fake: { provider: 'openai', base_url: `${model.url}/v1`, model: 'fake', api_key: 'k' } },
    mcpServers: { demo: demoServer() },
  });
  await connected(troupe, 'demo');
  const page = await openPage(t, troupe.url);
  const { box, send, tool } = parts(page);
  await box.fill('Wait for it');
  await send.click();
  await tool('hang').getByText('running').waitFor();
  troupe.program.signal('SIGTERM');
  await page.getByText('The server was shut down while it answered.').waitFor();
  await tool('hang').getByText('failed').waitFor();
  await tool('hang').getByText(/\w{4}/).last().waitFor();
  await page.getByText('Connection lost.').waitFor();
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
});
