// A server of Troupe for one program, and the program itself in a home of its own.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../integration/support/program.mjs';
import { connected, demoServer, folder, models, startModel, startTroupe } from '../integration/support/servers.mjs';

export const timeout = 900000; // opencode alone takes half a minute to start on a busy machine

/** A prompt that has the scripted model call these tools, one after the other. No spaces: see opencode. */
export const prompt = (...calls) => `Now:\n${ordered(calls).join('\n')}`;

/** The same, all in one answer. */
const together = (...calls) => `Now:\n${ordered(calls).join('\nand ')}`;

const ordered = (calls) => calls.map(([name, input]) => `call ${name} ${JSON.stringify(input)}`);

/** A call of the MCP server's tool, and its answer. */
export const serversTool = ['get-sum', { a: 40, b: 2 }];
export const serversAnswer = /is 42/;

/** What stands in the file `note.txt` of the program's folder, and the command that shows it. */
export const secret = /the-plum-is-ripe/;
export const command = 'cat<note.txt';

/** Returns the path of a program in node_modules. */
export function program(...candidates) {
  const all = candidates.map((each) => fileURLToPath(new URL(`node_modules/${each}`, import.meta.url)));
  const found = all.find((each) => existsSync(each));
  assert.ok(found, `none of these is there: ${all.join(', ')}`);
  return found;
}

/**
 * Starts a model, a server with the demo MCP server, and makes a home with a folder to work in.
 * Names of models that the program has built in are answered by the script `text`.
 */
export async function start(t) {
  const model = await startModel(t);
  const troupe = await startTroupe(t, {
    models: models(model.url, ['told', 'text']),
    defaultModel: 'told',
    modelAliases: { '*': 'text' },
    mcpServers: { demo: demoServer() },
  });
  await connected(troupe, 'demo');
  const home = folder(t);
  const work = path.join(home, 'work');
  mkdirSync(work);
  writeFileSync(path.join(work, 'note.txt'), 'the-plum-is-ripe\n');
  const place = { model, troupe, home, work };
  return { ...place, file: (name, text) => writeIn(home, name, text), start: (file, args, env) => startIn(place, file, args, env) };
}

function writeIn(home, name, text) {
  const file = path.join(home, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof text === 'string' ? text : JSON.stringify(text, null, 2));
}

/** Runs the program to its end, with nothing of this machine's environment; it must end with 0. */
async function startIn({ home, work }, file, args, env) {
  const none = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));
  const own = {
    PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
    HOME: home,
    XDG_DATA_HOME: path.join(home, '.local/share'), // where talks are kept
    XDG_STATE_HOME: path.join(home, '.local/state'),
    TERM: 'dumb',
    LANG: 'C.UTF-8',
    ...env,
  };
  const ended = await run(file, args, { cwd: work, env: { ...none, ...own }, milliseconds: 240000 });
  assert.equal(ended.code, 0, JSON.stringify(ended, null, 1));
  return ended;
}

/** The messages of the model's last request that ran the script `told`. */
export async function lastTold(model) {
  const bodies = (await model.requests()).map(({ body }) => (typeof body === 'string' ? JSON.parse(body) : body));
  return bodies.findLast((body) => body.model === 'told').messages;
}

/**
 * Has a program run its own tool, a tool of the server's, both in a second turn, and both in one answer.
 * @param ask(prompt) a new talk, goOn(prompt) the same one; each returns what was printed
 * @param own the call of its own tool
 */
export async function talk({ model, ask, goOn }, own) {
  assert.match(await ask(prompt(own)), secret);
  assert.match(await ask(prompt(serversTool)), serversAnswer);
  const second = await goOn(prompt(own, serversTool));
  assert.match(second, secret);
  assert.match(second, serversAnswer);
  const seen = JSON.stringify(await lastTold(model));
  assert.match(seen, /"role":"assistant","content":"The tool \S+ answered/, 'the first turn is there');

  // The model gets the server's answer together with the program's, which comes in a request of its own.
  const both = await goOn(together(['get-sum', { a: 1, b: 2 }], own));
  assert.match(both, secret);
  assert.match(both, /is 3\b/);
  const messages = await lastTold(model);
  const answers = messages.slice(messages.findLastIndex(({ role }) => role === 'user')).filter(({ role }) => role === 'tool');
  assert.equal(answers.length, 2, JSON.stringify(messages, null, 1));
  assert.match(JSON.stringify(answers[0]), /is 3\b/);
  assert.match(JSON.stringify(answers[1]), secret);
}
