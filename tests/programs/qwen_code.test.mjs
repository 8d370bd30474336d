// qwen-code, over POST /v1/chat/completions.
import test from 'node:test';
import { command, program, start, talk, timeout } from './support.mjs';

const qwen = () => program('@qwen-code/qwen-code/cli-entry.js');

test('qwen-code runs its command, a tool of the server, and goes on', { timeout }, async (t) => {
  const it = await start(t);
  const env = { OPENAI_BASE_URL: `${it.troupe.url}/v1`, OPENAI_API_KEY: 'any', OPENAI_MODEL: 'told' };
  const print = async (...args) =>
    (await it.start(process.execPath, [qwen(), '--auth-type', 'openai', '--approval-mode', 'yolo', ...args], env)).stdout;
  const ask = (text) => print('-p', `\n${text}`);
  const goOn = (text) => print('--continue', '-p', `\n${text}`);
  await talk({ ...it, ask, goOn }, ['run_shell_command', { command, is_background: false }]);
});
