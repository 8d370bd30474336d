// Turns of 50 tokens against a server under measurement, by wrk, with an instant model behind it.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { end, launch, startTroupe } from './store_program.mjs';

/** To each server. */
export const connections = 64;

/** An instant model: nginx answers each request with the same 50-token stream. @param work a folder for its files */
export async function startInstantModel(work) {
  const sample = await startTroupe(['model', '--listen', '127.0.0.1:0']);
  const reply = await fetch(`${sample.url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({
      model: 'text',
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: 'hi' }],
    }),
  });
  writeFileSync(path.join(work, 'reply'), await reply.text());
  await end(sample.child);
  const config = readFileSync('bench/nginx-model.conf.in', 'utf8').replaceAll('@WORK@', work);
  writeFileSync(path.join(work, 'model.conf'), config);
  const files = ['-c', `${work}/model.conf`, '-e', `${work}/model.err`];
  const nginx = launch('nginx', ['-p', work, ...files]);
  const url = 'http://127.0.0.1:18081/v1';
  for (;;) {
    const ask = { method: 'POST', body: 'x' };
    const answer = await fetch(`${url}/chat/completions`, ask).catch(() => {});
    if (answer?.ok && nginx.exitCode === null) return url;
    if (nginx.exitCode !== null) throw new Error(readFileSync(`${work}/model.err`, 'utf8'));
    await new Promise((next) => setTimeout(next, 20));
  }
}

/** Runs wrk for so many seconds, each turn in a chat of its own; returns the number of turns. */
export async function load(url, prefix, time) {
  const args = [`-t1`, `-c${connections}`, `-d${time}`, '-s', 'bench/turns.lua', `${url}/api/chat`,
    '--', 'instant', prefix];
  const wrk = launch('wrk', args);
  let text = '';
  wrk.stdout.on('data', (piece) => (text += piece));
  await new Promise((resolve) => wrk.on('close', resolve));
  if (/Non-2xx|Socket errors/.test(text)) throw new Error(text);
  const [, turns, took] = text.match(/(\d+) requests in ([\d.]+)s/);
  return { turns: Number(turns), seconds: Number(took) };
}
