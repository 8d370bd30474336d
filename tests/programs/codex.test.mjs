// codex, over POST /v1/responses.
import assert from 'node:assert/strict';
import test from 'node:test';
import { binary } from '../integration/support/program.mjs';
import { command, program, prompt, start, talk, timeout } from './support.mjs';

const codex = () => program('@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex');

async function begin(t, more = '') {
  const it = await start(t);
  it.file('.codex/config.toml', `
model = "told"
model_provider = "troupe"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.troupe]
name = "Troupe"
base_url = "${it.troupe.url}/v1"
env_key = "TROUPE_API_KEY"
wire_api = "responses"
${more}`);
  const exec = async (...args) =>
    (await it.start(codex(), ['exec', '--skip-git-repo-check', ...args], { TROUPE_API_KEY: 'any' })).stdout;
  return { ...it, ask: exec, goOn: (text) => exec('resume', '--last', text) };
}

test('codex runs its command, a tool of the server, and goes on', { timeout }, async (t) => {
  await talk(await begin(t), ['exec_command', { cmd: command }]);
});

test("codex runs a tool of an MCP server of its own, which it has in a namespace", { timeout }, async (t) => {
  const { ask } = await begin(t, `[mcp_servers.own]\ncommand = ${JSON.stringify(binary('troupe-demo-mcp'))}\n`);
  assert.match(await ask(prompt(['mcp__own__get_sum', { a: 1, b: 2 }])), /sum of 1 and 2 is 3/);
});
