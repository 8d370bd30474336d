// What MCP servers have models answer: it is counted, and bounded.
import assert from 'node:assert/strict';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { overHttp } from '../support/mcp_surfaces.mjs';
import { until } from '../support/patience.mjs';
import { parseMetrics } from '../support/prometheus.mjs';
import { connected, models, startModel, startTroupe } from '../support/servers.mjs';

const timeout = 60000;
const sampling = fileURLToPath(new URL('../support/untrusted/sampling_server.mjs', import.meta.url));

class Stage {
  async starts(t, samplingLimits) {
    this.model = await startModel(t);
    const entry = { command: process.execPath, args: [sampling], sampling: 'allow', ...(samplingLimits && { samplingLimits }) };
    this.troupe = await startTroupe(t, { models: models(this.model.url, ['text']), defaultModel: 'text', mcpServers: { asking: entry } });
    this.http = overHttp(this.troupe.url);
    await connected(this.troupe, 'asking');
    return this;
  }

  /** Calls the tool, which asks for so many answers; resolves with what it was told. */
  async goes(count) {
    const { text } = await this.http.json('POST', '/v1/mcp/tools/call', { server: 'asking', tool: 'go', arguments: { count } });
    return JSON.parse(text);
  }

  /** Resolves with the sum of a metric's samples. */
  async sum(family, name = family) {
    const { families } = parseMetrics(await (await fetch(`${this.troupe.url}/metrics`)).text());
    const samples = families.get(family).samples.filter((each) => each.name === name);
    return samples.reduce((all, { value }) => all + value, 0);
  }

  async asked() {
    return (await this.model.requests()).length;
  }

  async diary() {
    const { log } = await this.http.json('GET', '/v1/mcp/servers/asking');
    return log.map((line) => line.text).join('\n');
  }
}

test('model requests of a server are counted, with their tokens', { timeout }, async (t) => {
  const stage = await new Stage().starts(t);
  assert.deepEqual(await stage.goes(3), { answered: 3, refused: 0, reasons: [] });
  assert.equal(await stage.asked(), 3);
  await until('they are counted', async () => (await stage.sum('troupe_mcp_sampling_requests_total')) === 3);
  const duration = 'gen_ai_client_operation_duration_seconds';
  assert.equal(await stage.sum(duration, `${duration}_count`), 3);
  const tokens = await stage.sum('troupe_mcp_sampling_tokens_total');
  assert.ok(tokens > 0);
  assert.equal(await stage.sum('gen_ai_client_token_usage', 'gen_ai_client_token_usage_sum'), tokens);
  const line = '"event":"sampling","server":"asking","model":"text","outcome":"success","usage":\\{"inputTokens":[1-9]';
  await stage.troupe.program.prints(new RegExp(`(${line}[^]*){3}`), { on: 'stderr' });
});

for (const [limits, count, answered, reason] of [
  [undefined, 50, 20, 'at most 20 answers in one call (samplingLimits.requestsPerCall)'],
  [{ requestsPerCall: 0 }, 100, 60, 'at most 60 answers in a minute (samplingLimits.requestsPerMinute)'],
  [{ tokensPerCall: 1 }, 5, 1, 'at most 1 tokens in one call (samplingLimits.tokensPerCall)'],
  [{ tokensPerMinute: 1 }, 5, 1, 'at most 1 tokens in a minute (samplingLimits.tokensPerMinute)'],
])
  test(`a server is given ${reason}`, { timeout }, async (t) => {
    const stage = await new Stage().starts(t, limits);
    const told = await stage.goes(count);
    const late = limits?.requestsPerCall === 0 ? 10 : 0; // a minute's worth comes back evenly
    assert.ok(told.answered >= answered && told.answered <= answered + late, JSON.stringify(told));
    assert.equal(told.refused, count - told.answered);
    assert.deepEqual(told.reasons, [`This client lets its model give ${reason}. Try again later.`]);
    assert.equal(await stage.asked(), told.answered);
    await until('the diary says it', async () => (await stage.diary()).includes(`sampling was refused: ${reason}`));
    await stage.troupe.program.prints(/"level":"warning","event":"sampling_refused","server":"asking"/, { on: 'stderr' });
  });
