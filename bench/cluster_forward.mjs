// What a forwarded turn costs: two nodes on one PostgreSQL, turns that one of them hands on because it drains by an operator's wish.
//   TROUPE_BIN=build/release/bin node bench/cluster_forward.mjs [turns] [clients] [rounds]
// CPU of both nodes per turn, plain and forwarded, of an instant answer and of one of 50 tokens; the first token's delay. Plain and
// forwarded turns alternate; medians of all rounds.
import { readFileSync, readdirSync } from 'node:fs';
import http from 'node:http';
import { startModel, models } from '../tests/integration/support/servers.mjs';
import { binary, run } from '../tests/integration/support/program.mjs';
import { Cluster } from '../tests/integration/support/cluster.mjs';

const turns = Number(process.argv[2] ?? 4000);
const clients = Number(process.argv[3] ?? 32);
const rounds = Number(process.argv[4] ?? 5);
const undo = [];
const t = { after: (what) => undo.push(what), diagnostic: console.log };
/** Microseconds that all threads of a node have run. */
const cpu = (node) => {
  const tasks = `/proc/${node.program.pid}/task`;
  return readdirSync(tasks).reduce((sum, task) => sum + Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]) / 1000, 0);
};
const median = (all) => [...all].sort((a, b) => a - b)[all.length >> 1];

function turn(node, model, agent) {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const request = http.request(`${node.url}/v1/sessions/bench-${Math.random()}/turns`, {
      method: 'POST', agent, headers: { 'content-type': 'application/json' },
    }, (response) => {
      let first;
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => {
        text = (text + piece).slice(-4000);
        if (first === undefined && piece.includes('"TEXT"')) first = performance.now() - begun;
      });
      response.on('end', () => (response.statusCode === 200 && text.includes('SESSION_END') ? resolve(first) : reject(new Error(`${response.statusCode} ${text}`))));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(JSON.stringify({ message: 'hello', model }));
  });
}

/** Runs turns at a node; resolves with microseconds of CPU per turn of each node, and the median of the first tokens, in milliseconds. */
async function measure(nodes, at, { model, count, width }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: width });
  await Promise.all(Array.from({ length: width }, () => turn(at, model, agent))); // connections are there
  const before = nodes.map(cpu);
  const firsts = [];
  let left = count;
  await Promise.all(Array.from({ length: width }, async () => {
    while (left-- > 0) firsts.push(await turn(at, model, agent));
  }));
  agent.destroy();
  return { cpu: nodes.map((node, i) => (cpu(node) - before[i]) / count), first: median(firsts) };
}

const model = await startModel(t);
const { nodes } = await Cluster.start(t, { nodes: 2, config: { models: models(model.url, ['text', 'paced-100-50']) } });
const [forwarder, owner] = nodes;
const drained = await run(binary('troupe'), ['cluster', 'drain', forwarder.name, '--config', forwarder.file]);
if (drained.code !== 0) throw new Error(drained.stderr);
while ((await forwarder.get('/readyz')).status === 200) await new Promise((go) => setTimeout(go, 50));

const loads = [
  { model: 'text', count: turns, width: clients, alone: 200 },
  { model: 'paced-100-50', count: Math.max(200, turns / 8), width: 50, alone: 10 },
];
console.log('| turn | way | forwarder, us of CPU | owner, us of CPU | both | first token, ms (one client) |\n|---|---|---|---|---|---|');
for (const load of loads) {
  const ways = { plain: owner, forwarded: forwarder };
  const found = { plain: [], forwarded: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const [way, at] of Object.entries(ways)) {
      const { cpu } = await measure(nodes, at, load);
      const { first } = await measure(nodes, at, { ...load, count: load.alone, width: 1 });
      found[way].push({ cpu, first });
    }
  for (const [way, all] of Object.entries(found)) {
    const [a, b] = [0, 1].map((i) => median(all.map(({ cpu }) => cpu[i])));
    const both = median(all.map(({ cpu }) => cpu[0] + cpu[1]));
    console.log(`| ${load.model} | ${way} | ${a.toFixed(0)} | ${b.toFixed(0)} | ${both.toFixed(0)} | ${median(all.map(({ first }) => first)).toFixed(2)} |`);
  }
}
for (const what of undo.reverse()) await what();
process.exit(0);
