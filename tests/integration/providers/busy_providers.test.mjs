// Providers that have too much to do, or are not paid: what each says of it in the head of its
// answer and in the middle of a stream, what is tried again and when, and the code that is told.
import assert from 'node:assert/strict';
import test from 'node:test';
import { startFaultyModel } from '../support/faulty_model.mjs';
import { within } from '../support/patience.mjs';
import { actsOf, wires } from '../support/provider_faults.mjs';
import { startModel, startTroupe } from '../support/servers.mjs';
import { takeTurn } from '../support/turns.mjs';

const timeout = 120000;
const codes = {
  rate: 'model_rate_limited',
  timed: 'model_rate_limited',
  later: 'model_rate_limited',
  busy: 'model_overloaded',
  quota: 'model_quota_exhausted',
  credit: 'model_quota_exhausted',
};

/** Delays of the engine's own are so long that a request which comes soon was hinted at. */
const slow = { retryDelayMs: 60000, maxRetryDelayMs: 60000 };
const quick = { retryDelayMs: 1 };

/**
 * What happens to a provider's first request. `waits`: the second one comes, and not earlier than
 * so many milliseconds later; without it there is none.
 */
const heads = {
  'retry-after-ms': { error: 'rate', fields: { 'retry-after-ms': '300' }, waits: 300 },
  'retry-after': { error: 'rate', fields: { 'retry-after': '1' }, waits: 1000 },
  'the finer of two hints': {
    error: 'busy',
    fields: { 'retry-after': '30', 'retry-after-ms': '300' },
    waits: 300,
  },
  'too busy': { error: 'busy', model: quick, waits: 0 },
  'too many requests': { error: 'rate', model: quick, waits: 0 },
  'x-should-retry: true': {
    error: 'busy',
    fields: { 'x-should-retry': 'true' },
    model: quick,
    waits: 0,
  },
  'x-should-retry: false': { error: 'rate', fields: { 'x-should-retry': 'false' }, model: quick },
  'a wait that is too long': { error: 'rate', fields: { 'retry-after': '3600' } },
  'a quota that is used up': {
    error: 'quota',
    fields: { 'retry-after-ms': '1', 'x-should-retry': 'true' },
    model: quick,
  },
};

/** Hints and errors that only one provider has. */
const ownHeads = {
  anthropic: { 'a balance that is too low': { error: 'credit', model: quick } },
  gemini: {
    RetryInfo: { error: 'timed', waits: 400 },
    'a RetryInfo that is too long': { error: 'later' },
  },
};

/** Errors of a stream in which nothing was said yet; `waits` as above. */
const starts = {
  'too busy': { error: 'busy', model: quick, waits: 0 },
  'too many requests': { error: 'rate', model: quick, waits: 0 },
  'a quota that is used up': { error: 'quota', model: quick },
};
const ownStarts = {
  anthropic: { 'a balance that is too low': { error: 'credit', model: quick } },
  gemini: {
    RetryInfo: { error: 'timed', waits: 400 },
    'a RetryInfo that is too long': { error: 'later' },
  },
};

/** Ollama's errors in a stream are texts without a status; it knows no other than these. */
const hasStatus = (provider, error) => provider !== 'ollama' || error === 'busy';

/** The rows of a provider: what its server does, in order, and what has to come of it. */
function rowsOf(provider) {
  const { says, refuses, breaks } = actsOf(wires[provider]);
  const rows = [];
  const add = (name, act, row) =>
    rows.push({ name, model: slow, ...row, script: [act, says('hello')], code: codes[row.error] });
  for (const [name, row] of Object.entries({ ...heads, ...ownHeads[provider] }))
    add(`${name}, in the head`, refuses(row.error, row.fields), row);
  for (const [name, row] of Object.entries({ ...starts, ...ownStarts[provider] }))
    if (hasStatus(provider, row.error))
      add(`${name}, before the first token`, breaks(row.error), row);
  for (const error of Object.keys(wires[provider].errors))
    if (hasStatus(provider, error))
      add(`${error}, behind the first token`, breaks(error, 'half'), { error, text: 'half' });
  for (const error of ['rate', 'busy']) {
    const row = { error, attempts: 3, model: { ...quick, maxAttempts: 3 } };
    add(`${error}, again and again`, refuses(error), row);
    rows.at(-1).script.splice(1, 1, refuses(error), refuses(error));
  }
  return rows;
}

const entry = (provider, url, more) => ({
  provider,
  base_url: url + wires[provider].base,
  model: 'm',
  api_key: 'k',
  ...more,
});

async function judge(troupe, row) {
  const { name, requests, code, waits, text = '', attempts = 1 } = row;
  const turn = await takeTurn(troupe.url, { message: 'hi', model: row.key });
  const last = turn.events.at(-1);
  if (waits === undefined) {
    assert.deepEqual([last.error, turn.text()], [code, text], `${name}: ${last.errorText}`);
    assert.match(last.errorText, /slower|no room|all spent/, name);
    assert.equal(requests.length, attempts, name);
    return;
  }
  assert.deepEqual([last.type, turn.text()], ['SESSION_END', 'hello'], `${name}: ${last.errorText}`);
  assert.equal(turn.of('MODEL_RESPONSE_WAITING').length, 1, name);
  assert.equal(requests.length, 2, name);
  assert.deepEqual(requests[1].body, requests[0].body, name);
  const waited = requests[1].arrival - requests[0].arrival;
  assert.ok(waited >= waits - 5, `${name}: asked again after ${waited} ms`);
  assert.ok(waited < within(waits + 5000), `${name}: asked again after ${waited} ms`);
}

for (const provider of Object.keys(wires))
  test(`${provider} is asked again as it says, before the first token`, { timeout }, async (t) => {
    const rows = rowsOf(provider);
    const models = {};
    for (const [n, row] of rows.entries()) {
      const server = await startFaultyModel(t, (at) => row.script[at] ?? row.script.at(-1));
      row.requests = server.requests;
      row.key = `row-${n}`;
      models[row.key] = entry(provider, server.url, row.model);
    }
    const troupe = await startTroupe(t, { models, defaultModel: 'row-0' });
    await Promise.all(rows.map((row) => judge(troupe, row)));
  });

/** Scripts of the scripted model: the code that is told, requests, and the least time for them. */
const scripts = {
  'error-429': ['model_rate_limited', 2, 1000],
  'error-503': ['model_overloaded', 2, 0],
  'error-quota': ['model_quota_exhausted', 1, 0],
  'busy-in-stream': ['model_overloaded', 2, 0],
  'error-in-stream': ['model_failed', 1, 0],
};

test('a real server of each provider is understood the same way', { timeout }, async (t) => {
  const model = await startModel(t);
  const key = (provider, script) => `${provider}/${script}`;
  const cases = Object.keys(wires).flatMap((provider) =>
    Object.keys(scripts).map((script) => [provider, script]),
  );
  const models = cases.map(([provider, script]) => [
    key(provider, script),
    entry(provider, model.url, { model: script, maxAttempts: 2, ...quick }),
  ]);
  const troupe = await startTroupe(t, {
    models: Object.fromEntries(models),
    defaultModel: 'openai/error-429',
  });
  for (const [provider, script] of cases) {
    const [code, attempts, least] = scripts[script];
    const before = (await model.stats()).requests;
    const began = performance.now();
    const turn = await takeTurn(troupe.url, { message: 'hi', model: key(provider, script) });
    const took = performance.now() - began;
    assert.equal(turn.events.at(-1).error, code, `${provider}/${script}`);
    assert.equal((await model.stats()).requests - before, attempts, `${provider}/${script}`);
    const hinted = provider === 'ollama' ? 0 : least; // Ollama has no hints
    assert.ok(took >= hinted - 5, `${provider}/${script} took ${took} ms`);
  }
});
