// Every provider behind `troupe serve`: its client sees the same, whoever answers.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as sdk from 'ai';
import { ask, newChat, userMessage } from '../support/ai_client.mjs';
import { connected, demoServer, startModel, startTroupe } from '../support/servers.mjs';
import { newSession, takeTurn } from '../support/turns.mjs';
import { startPlainMcp } from '../support/plain_mcp.mjs';

/** A picture of one point. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==';

const image = { type: 'image', data: png, mimeType: 'image/png' };
const tool = (name, description) => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { size: { type: 'number' } } },
});

/** An MCP server with a tool that needs no arguments and answers with an image, and one that fails with an image. */
const startDrawing = (t) =>
  startPlainMcp(t, 'drawing', [tool('draw', 'Draws a point.'), tool('fail', 'Cannot draw.')], ({ name }) => ({
    isError: name === 'fail',
    content: [{ type: 'text', text: name === 'fail' ? 'no ink left' : 'a point' }, image],
  }));

const timeout = 120000;

/** The path of each provider's base URL on the scripted model. */
const paths = {
  openai: '/v1',
  anthropic: '',
  'openai-responses': '/v1',
  gemini: '/v1beta',
  ollama: '',
};
const providers = Object.keys(paths);
const scripts = ['text', 'reasoning', 'call', 'chain', 'parallel', 'tool-error', 'length'];
/** A result that failed has no mark in these APIs: the text that the model quotes says so. */
const unmarked = ['ollama', 'openai-responses', 'gemini'];
const failures = ['error-400', 'error-401', 'error-429', 'error-500', 'cut', 'cut-clean'];

async function start(t) {
  const model = await startModel(t);
  const entry = (provider, script) => [
    `${provider}/${script}`,
    { provider, base_url: model.url + paths[provider], model: script, api_key: 'k', maxAttempts: 1 },
  ];
  const all = [...scripts, ...failures];
  const troupe = await startTroupe(t, {
    models: Object.fromEntries(
      providers.flatMap((provider) => all.map((script) => entry(provider, script))),
    ),
    defaultModel: 'openai/text',
    mcpServers: { demo: demoServer() },
  });
  await connected(troupe, 'demo');
  return { model, troupe };
}

/** The chunks with numbers for ids, and neighbouring deltas joined. */
function plain(chunks) {
  const ids = [];
  const number = (id) => (ids.includes(id) ? ids.indexOf(id) : ids.push(id) - 1);
  const made = [];
  for (const { id, toolCallId, messageId, messageMetadata, ...rest } of chunks) {
    const chunk = { ...rest };
    if (id !== undefined) chunk.id = number(id);
    if (toolCallId !== undefined) chunk.toolCallId = number(toolCallId);
    delete chunk.providerMetadata; // sealed by one provider
    const last = made.at(-1);
    const piece = 'delta' in chunk ? 'delta' : 'inputTextDelta';
    const same = last?.type === chunk.type && last?.id === chunk.id;
    if (same && last.toolCallId === chunk.toolCallId && typeof last[piece] === 'string')
      last[piece] += chunk[piece];
    else made.push(chunk);
  }
  return made;
}

for (const script of scripts)
  test(`useChat sees the same answer of ${script} from every provider`, { timeout }, async (t) => {
    const { troupe } = await start(t);
    const answers = {};
    for (const provider of providers) {
      const { chunks, errors } = await ask(sdk, troupe.url, {
        model: `${provider}/${script}`,
        messages: [userMessage('hello there')],
      });
      assert.deepEqual(errors, [], provider);
      answers[provider] = plain(chunks);
    }
    const same = (provider) => script !== 'tool-error' || !unmarked.includes(provider);
    for (const provider of providers.filter(same))
      assert.deepEqual(answers[provider], answers.openai, provider);
  });

/** Runs a turn of a chat that the server keeps; resolves with the text of its event stream. */
async function turn(troupe, id, body) {
  const answer = await fetch(`${troupe.url}/v1/sessions/${id}/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.text();
}

test('what a provider refuses or breaks off is told with the same code', { timeout }, async (t) => {
  const { troupe } = await start(t);
  for (const script of failures) {
    const codes = new Map();
    for (const provider of providers) {
      const model = `${provider}/${script}`;
      const text = await turn(troupe, newChat(), { message: 'hello', model });
      const [, code] = /SESSION_ERROR[^]*?"(model_[a-z_]+)"/.exec(text) ?? assert.fail(text);
      codes.set(provider, code);
    }
    assert.equal(new Set(codes.values()).size, 1, `${script}: ${JSON.stringify([...codes])}`);
  }
});

test('a chat whose provider changes with each turn breaks no rule', { timeout }, async (t) => {
  const { troupe } = await start(t);
  const id = newChat();
  const order = [];
  for (let n = 0; n < 20; ++n) {
    const provider = providers[(n * 3 + Math.floor(n / 5)) % providers.length];
    const script = ['call', 'reasoning', 'parallel', 'chain', 'tool-error'][n % 5];
    order.push(`${provider}/${script}`);
    const text = await turn(troupe, id, { message: `turn ${n}`, model: order.at(-1) });
    assert.match(text, /SESSION_END/, `${order.join(' ')}: ${text.slice(-500)}`);
    assert.doesNotMatch(text, /SESSION_ERROR/, order.join(' '));
  }
});

/** Of chat completions, and of Gemini before its third generation, the user shows the images of results. */
const imagesInResults = ['anthropic', 'openai-responses', 'ollama'];
const imagesOfUsers = ['openai', 'gemini'];
/** The roles at the end of such a request; strict chat templates want an answer in front of the user. */
const ends = { openai: ['assistant', 'tool', 'assistant', 'user'], gemini: ['user', 'model', 'user', 'user'] };

test('results with images and errors, and calls without arguments, are taken', { timeout }, async (t) => {
  const model = await startModel(t);
  const scripts = ['call', 'parallel', 'tool-error'];
  const entry = (provider, script) => [
    `${provider}/${script}`,
    {
      provider,
      base_url: model.url + paths[provider],
      model: script,
      api_key: 'k',
      images: imagesInResults.includes(provider),
    },
  ];
  const troupe = await startTroupe(t, {
    models: Object.fromEntries(
      providers.flatMap((provider) => scripts.map((script) => entry(provider, script))),
    ),
    defaultModel: 'openai/call',
    mcpServers: { art: await startDrawing(t) },
  });
  await connected(troupe, 'art');
  for (const provider of providers) {
    for (const script of scripts) {
      const where = `${provider}/${script}`;
      await model.forget();
      const turn = await takeTurn(troupe.url, { message: 'draw', model: where });
      assert.equal(turn.events.at(-1).type, 'SESSION_END', `${where}: ${turn.text()}`);
      const calls = turn.of('TOOL_ARGS_COMPLETE').map(({ arguments: given }) => given);
      assert.deepEqual(calls, script === 'parallel' ? [{}, {}] : [{}], where);
      const said = script === 'tool-error' ? /no ink left/ : /a point/;
      assert.match(turn.text(), said, where);
      const sent = JSON.stringify((await model.requests()).at(-1).body);
      const images = imagesInResults.includes(provider) ? calls.length : 0;
      assert.equal(sent.split(png).length - 1, images, `${where}: ${sent}`);
    }
  }
});

/** The roles of the last messages of a request, and where its images are. */
function endOf(body) {
  const all = body.messages ?? body.contents;
  const roles = all.map(({ role }) => role);
  return { roles: roles.slice(-4), shown: all.flatMap((each, at) => (JSON.stringify(each).includes(png) ? [at] : [])), count: all.length };
}

test('where results take no images the user shows them behind, also of errors and of parallel calls', { timeout }, async (t) => {
  const model = await startModel(t);
  const entry = (provider, script) => [
    `${provider}/${script}`,
    { provider, base_url: model.url + paths[provider], model: script, api_key: 'k', images: true },
  ];
  const troupe = await startTroupe(t, {
    models: Object.fromEntries(imagesOfUsers.flatMap((provider) => ['told', 'parallel'].map((script) => entry(provider, script)))),
    defaultModel: 'openai/told',
    limits: { maxToolRoundtrips: 1 },
    mcpServers: { art: await startDrawing(t) },
  });
  await connected(troupe, 'art');
  for (const provider of imagesOfUsers) {
    const session = newSession();
    const ask = async (script, message) => {
      await model.forget();
      const turn = await takeTurn(troupe.url, { message, model: `${provider}/${script}` }, { session });
      assert.equal(turn.events.at(-1).type, 'SESSION_END', `${provider} ${message}: ${turn.text()}`);
      assert.deepEqual(turn.of('SESSION_ERROR'), [], provider);
      return (await model.requests()).map(({ body }) => body);
    };
    let before = 0;
    for (const [said, text] of [['call draw {}', 'a point'], ['call fail {}', 'no ink left']]) {
      const requests = await ask('told', said);
      assert.equal(requests.length, 2, `${provider}: a call, and what the model says to its result`);
      const sent = JSON.stringify(requests[1]);
      before += 1;
      assert.equal(sent.split(png).length - 1, before, `${provider} ${said}: ${sent}`);
      assert.match(sent, new RegExp(text));
      const { roles, shown, count } = endOf(requests[1]);
      assert.deepEqual(roles, ends[provider], provider);
      assert.equal(shown.at(-1), count - 1, `${provider}: the image of this turn is in the last message`);
    }
    // Both images stand in one message behind both results. For the script that is a new question; the
    // limit of rounds ends its calls.
    const [, both] = await ask('parallel', 'draw');
    const { shown, count } = endOf(both);
    assert.equal(JSON.stringify(both).split(png).length - 1, before + 2, provider);
    assert.equal(shown.at(-1), count - 1, provider);
    assert.equal(shown.length, before + 1, provider);
  }
});

test('thoughts that were sealed in three rounds, and a pause, go back as they came', { timeout }, async (t) => {
  const model = await startModel(t);
  const scripts = ['reasoning-chain', 'pause'];
  const troupe = await startTroupe(t, {
    models: Object.fromEntries(
      providers.flatMap((provider) =>
        scripts.map((script) => [
          `${provider}/${script}`,
          { provider, base_url: model.url + paths[provider], model: script, api_key: 'k' },
        ]),
      ),
    ),
    defaultModel: 'openai/pause',
    mcpServers: { demo: demoServer() },
  });
  await connected(troupe, 'demo');
  const sealed = {
    anthropic: /"type":"thinking".*"signature":"[^"]+".*"type":"tool_use"/,
    'openai-responses': /"type":"reasoning".*"encrypted_content":"[^"]+".*"type":"function_call"/,
    gemini: /"functionCall":.*"thoughtSignature":"[^"]+"|"thoughtSignature":"[^"]+".*"functionCall":/,
  };
  for (const provider of providers) {
    const session = newSession();
    const ask = (script) =>
      takeTurn(troupe.url, { message: 'hello', model: `${provider}/${script}` }, { session });
    for (const round of [1, 2]) {
      await model.forget();
      const turn = await ask('reasoning-chain');
      assert.equal(turn.events.at(-1).type, 'SESSION_END', `${provider}: ${turn.text()}`);
      const requests = await model.requests();
      assert.equal(requests.length, 3, provider);
      const contents = requests.map(({ body }) => JSON.stringify(body));
      if (sealed[provider] && round === 1) assert.match(contents[2], sealed[provider], provider);
    }
    await model.forget();
    const paused = await ask('pause');
    const whole = provider === 'anthropic' ? /^Every chat .* stops it\.$/ : /^Every chat .*[^.]$/;
    assert.match(paused.text(), whole, provider);
    assert.equal((await model.requests()).length, provider === 'anthropic' ? 2 : 1, provider);
  }
});
