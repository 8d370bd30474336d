// opencode, over each of the three APIs.
import test from 'node:test';
import { command, program, start, talk, timeout } from './support.mjs';

const opencode = () => program('opencode-linux-x64/bin/opencode', 'opencode-linux-x64-baseline/bin/opencode');

async function begin(t, npm) {
  const it = await start(t);
  it.file('.config/opencode/opencode.json', {
    autoupdate: false,
    share: 'disabled',
    permission: { bash: 'allow' },
    provider: {
      troupe: {
        npm,
        name: 'Troupe',
        options: { baseURL: `${it.troupe.url}/v1`, apiKey: 'any' },
        models: { told: { name: 'told' }, text: { name: 'text' } },
      },
    },
    model: 'troupe/told',
    small_model: 'troupe/text',
  });
  const env = { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' };
  // It quotes arguments with spaces.
  const print = async (...args) => {
    const { stdout, stderr } = await it.start(opencode(), ['run', ...args], env);
    return stdout + stderr;
  };
  const ask = (text) => print(...text.split(' '));
  return { ...it, ask, goOn: (text) => print('--continue', ...text.split(' ')) };
}

for (const npm of ['@ai-sdk/openai-compatible', '@ai-sdk/openai', '@ai-sdk/anthropic'])
  test(`opencode with ${npm} runs its command, a tool of the server, and goes on`, { timeout }, async (t) => {
    await talk(await begin(t, npm), ['bash', { command, description: 'Reads' }]);
  });
