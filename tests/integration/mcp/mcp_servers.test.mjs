// Everything that the MCP servers from npm offer works over HTTP and from the command line.
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import {
  everythingStdio, everythingTools, filesystem, filesystemTools, memory, memoryTools,
  sequentialThinking, thinkingTools,
} from '../support/mcp_catalog.mjs';
import { answerForms, followEvents, overCommandLine, overHttp } from '../support/mcp_surfaces.mjs';
import { until, within } from '../support/patience.mjs';
import {
  configFile, everythingInMode, folder, models, startModel, startTroupe,
} from '../support/servers.mjs';

const timeout = within(240000);
const server = 'it';

/** The three ways to reach server-everything. */
const modes = ['stdio', 'streamableHttp', 'sse'];

async function entryFor(t, mode) {
  const reach = mode === 'stdio' ? everythingStdio() : await everythingInMode(t, mode);
  return { ...reach, roots: ['file:///tmp'], sampling: 'allow' };
}

/** Starts troupe with one MCP server; resolves when that has listed `tools` tools. */
async function host(t, entry, tools) {
  const model = await startModel(t);
  const troupe = await startTroupe(t, {
    models: models(model.url, ['text']),
    defaultModel: 'text',
    mcpServers: { [server]: entry },
  });
  const http = overHttp(troupe.url);
  await until(`${tools} tools are listed`, async () => (await http.tools(server)).length >= tools, 20000);
  return { troupe, http, surfaces: [http, overCommandLine(['--server', troupe.url])] };
}

async function callRow(surface, row) {
  const answer = await surface.call(server, row.tool, row.arguments);
  const where = `${surface.name}: ${row.tool}: ${JSON.stringify(answer)}`;
  assert.equal(answer.error?.code, row.error, where);
  if (row.text) assert.match(answer.text ?? JSON.stringify(answer.result), row.text, where);
  if (row.result) assert.ok(row.result(answer.result), where);
  if (row.progress && surface.name === 'HTTP') assert.equal(answer.progress.length, row.progress, where);
}

/** Calls in the rows' order; those that take their time run beside the others. */
async function callAll(surface, rows) {
  const listed = (await surface.tools(server)).map((tool) => tool.name);
  const slow = Promise.all(rows.filter((row) => row.slow).map((row) => callRow(surface, row)));
  slow.catch(() => {}); // told below
  for (const row of rows.filter((each) => !each.slow)) await callRow(surface, row);
  await slow;
  const tried = new Set(rows.map((row) => row.tool));
  assert.deepEqual(listed.filter((name) => !tried.has(name)), [], 'every tool has a row');
}

for (const mode of modes) {
  test(`server-everything over ${mode}: tools`, { timeout }, async (t) => {
    const { troupe, surfaces } = await host(t, await entryFor(t, mode), 19);
    await answerForms(t, troupe.url, 'Ada');
    await Promise.all(surfaces.map((surface) => callAll(surface, everythingTools)));
  });

  test(`server-everything over ${mode}: resources, prompts, completion`, { timeout }, async (t) => {
    const { surfaces } = await host(t, await entryFor(t, mode), 19);
    await until('all is listed', async () => {
      const [prompts, all] = await Promise.all([surfaces[0].prompts(server), surfaces[0].resources(server)]);
      return prompts.length > 0 && all.resources.length > 0 && all.resourceTemplates.length > 0;
    });
    for (const surface of surfaces) {
      const { resources, resourceTemplates } = await surface.resources(server);
      assert.equal(resources.length, 7);
      assert.equal(resourceTemplates.length, 2);
      for (const { uri } of resources) {
        const { contents } = await surface.read(server, uri);
        assert.ok(contents[0].text.length > 0, uri);
      }
      for (const kind of ['text', 'blob']) {
        const { contents } = await surface.read(server, `demo://resource/dynamic/${kind}/3`);
        assert.ok((contents[0].text ?? contents[0].blob).length > 0);
      }
      const names = (await surface.prompts(server)).map((prompt) => prompt.name);
      assert.deepEqual(names.sort(), ['args-prompt', 'completable-prompt', 'resource-prompt', 'simple-prompt']);
      const prompts = [
        ['simple-prompt', {}, /./],
        ['args-prompt', { city: 'Oslo', state: 'none' }, /Oslo/],
        ['completable-prompt', { department: 'Engineering', name: 'Alice' }, /Alice/],
        ['resource-prompt', { resourceType: 'Text', resourceId: '1' }, /resource/],
      ];
      for (const [name, values, expected] of prompts) {
        assert.match(JSON.stringify((await surface.prompt(server, name, values)).messages), expected);
      }
      const ofPrompt = { type: 'ref/prompt', name: 'completable-prompt' };
      const department = await surface.complete(server, ofPrompt, 'department', 'E');
      assert.deepEqual(department.completion.values, ['Engineering']);
      const name = await surface.complete(server, ofPrompt, 'name', '', { department: 'Engineering' });
      assert.ok(name.completion.values.includes('Alice'));
      const ofTemplate = { type: 'ref/resource', uri: 'demo://resource/dynamic/text/{resourceId}' };
      const id = await surface.complete(server, ofTemplate, 'resourceId', '1');
      assert.ok(Array.isArray(id.completion.values));
    }
  });

  test(`server-everything over ${mode}: logging, subscriptions, ping`, { timeout }, async (t) => {
    const { troupe, http, surfaces } = await host(t, await entryFor(t, mode), 19);
    for (const surface of surfaces) {
      await surface.ping(server);
      await surface.logLevel(server, 'debug');
    }
    const events = await followEvents(t, troupe.url);
    const uri = 'demo://resource/dynamic/text/1';
    await http.json('POST', '/v1/mcp/resources/subscribe', { server, uri });
    await http.call(server, 'toggle-subscriber-updates', {});
    await http.call(server, 'toggle-simulated-logging', {});
    const updated = await events.next('resourceUpdated', (data) => data.uri === uri);
    assert.deepEqual(updated, { server, uri });
    const log = await events.next('log');
    assert.equal(log.server, server);
    assert.ok(log.level.length > 0);
    await http.json('POST', '/v1/mcp/resources/unsubscribe', { server, uri });
    await http.call(server, 'toggle-subscriber-updates', {});
  });
}

test('server-filesystem: every tool', { timeout }, async (t) => {
  for (const make of [(url) => overHttp(url), (url) => overCommandLine(['--server', url])]) {
    const place = folder(t);
    const { troupe } = await host(t, filesystem(place), 14);
    await callAll(make(troupe.url), filesystemTools(place));
  }
});

test('server-memory: every tool and its resource', { timeout }, async (t) => {
  for (const make of [(url) => overHttp(url), (url) => overCommandLine(['--server', url])]) {
    const { troupe } = await host(t, memory(path.join(folder(t), 'memory.jsonl')), 9);
    const surface = make(troupe.url);
    await callAll(surface, memoryTools);
    const { contents } = await surface.read(server, 'memory://knowledge-graph');
    assert.match(contents[0].text, /Engine/);
  }
});

test('server-sequential-thinking: its tool', { timeout }, async (t) => {
  const { surfaces } = await host(t, sequentialThinking(), 1);
  for (const surface of surfaces) await callAll(surface, thinkingTools);
});

test('the command line works without a server of its own running', { timeout }, async (t) => {
  const file = configFile(t, { mcpServers: { [server]: everythingStdio() } });
  const surface = overCommandLine(['--config', file]);
  assert.equal((await surface.servers())[0].health, 'success');
  const sum = await surface.call(server, 'get-sum', { a: 1, b: 2 });
  assert.match(sum.result.content[0].text, /3/);
  const long = await surface.call(server, 'trigger-long-running-operation', { duration: 0.2, steps: 2 });
  assert.equal(long.error, null);
  const { contents } = await surface.read(server, 'demo://resource/dynamic/text/1');
  assert.ok(contents[0].text.length > 0);
  const unknown = await surface.mcp('read', 'nobody', 'x://y');
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /nobody.*it/s);
});

test('a person answers what a server asks', { timeout }, async (t) => {
  const entry = { ...everythingStdio(), elicitation: 'ask', sampling: 'ask' };
  const { troupe, http } = await host(t, entry, 16);
  const declined = await http.call(server, 'trigger-elicitation-request', {});
  assert.match(declined.text, /declin/i, 'nobody is there to answer');

  const events = await followEvents(t, troupe.url, { answers: true });
  const call = http.call(server, 'trigger-elicitation-request', {});
  const asked = await events.next('clientRequest');
  assert.equal(asked.method, 'elicitation/create');
  assert.equal(asked.server, server);
  const reply = (content) =>
    http.send('POST', `/v1/mcp/requests/${asked.requestId}`, { action: 'accept', content });
  const wrong = await reply({ name: 7 });
  assert.equal(wrong.status, 400, await wrong.text());
  const right = await reply({ name: 'Ada' });
  assert.equal(right.status, 200, await right.text());
  assert.match((await call).text, /Ada/);
  assert.equal((await reply({ name: 'Ada' })).status, 404, 'it was answered');
});
