// Claude Code, over POST /v1/messages.
import assert from 'node:assert/strict';
import test from 'node:test';
import { command, lastTold, program, prompt, start, talk, timeout } from './support.mjs';

const claude = () => program('@anthropic-ai/claude-code-linux-x64/claude');

async function begin(t) {
  const it = await start(t);
  const env = {
    ANTHROPIC_BASE_URL: it.troupe.url,
    ANTHROPIC_API_KEY: 'any',
    ANTHROPIC_MODEL: 'told',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  };
  const tools = ['--allowedTools', 'Bash', 'NotebookEdit'];
  const print = async (text, ...flags) =>
    (await it.start(claude(), [...flags, '-p', ...tools, '--', text], env)).stdout;
  return { ...it, ask: (text) => print(text), goOn: (text) => print(text, '-c') };
}

test('Claude Code runs its command, a tool of the server, and goes on', { timeout }, async (t) => {
  await talk(await begin(t), ['Bash', { command, description: 'Reads' }]);
});

test('Claude Code finds a tool that it has put off', { timeout }, async (t) => {
  const { ask, model } = await begin(t);
  const found = ['ToolSearch', { query: 'select:NotebookEdit' }];
  const used = ['NotebookEdit', { notebook_path: '/none.ipynb', new_source: 'x' }];
  assert.match(await ask(prompt(found, used)), /The tool NotebookEdit answered/);
  assert.match(JSON.stringify(await lastTold(model)), /The tool NotebookEdit can now be called/);
});
