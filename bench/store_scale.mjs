// How a server with many conversations starts, and how fast it lists, opens and searches them.
// STORE_CONVERSATIONS and STORE_MESSAGES choose how many; STORE_FOLDER keeps the data folder. With
// STORE_CHINESE=1 every other conversation is in Chinese, and is searched, too.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bin, cpuMs, end, percentile, residentMiB, startTroupe } from './store_program.mjs';

const conversations = Number(process.env.STORE_CONVERSATIONS ?? 100000);
const messages = Number(process.env.STORE_MESSAGES ?? 20);
const questions = 500;
const limitMs = 20;
const settleMs = 3000; // upkeep after a start

const work = mkdtempSync(path.join(tmpdir(), 'troupe-bench-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
const data = process.env.STORE_FOLDER ?? path.join(work, 'data');

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

/** Asks; resolves with {milliseconds, body}. */
function ask(url) {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    http.get(url, { agent }, async (answer) => {
      let body = '';
      for await (const piece of answer.setEncoding('utf8')) body += piece;
      const milliseconds = performance.now() - begun;
      if (answer.statusCode === 200) resolve({ milliseconds, body: JSON.parse(body) });
      else reject(new Error(`${url}: ${answer.statusCode} ${body}`));
    }).on('error', reject);
  });
}

const below = (end) => Math.floor(Math.random() * end);
const list = (next) => `/v1/conversations?limit=50${next}`;
const search = (query) => `/v1/conversations/search?limit=20&q=${encodeURIComponent(query)}`;

// bench-store-fill's word N is N times as rare as its word 1, which is in every other message.
const common = () => `word${1 + below(20)}`;
const rare = () => `word${19000 + below(900)}`;

/** The word N of bench-store-fill in Chinese. */
const chinese = (n) => String.fromCharCode(0x4e00 + Math.floor(n / 150), 0x4e00 + (n % 150));
const commonChinese = () => chinese(1 + below(20));
const rareChinese = () => chinese(19000 + below(900));

const isPage = (body) => body.conversations.length > 0;
const isOpen = (body) => body.messages.length > 0;
const isFull = (body) => body.hits.length === 20;
const isHits = (body) => Array.isArray(body.hits);
const isEmpty = (body) => body.hits.length === 0;

/** What is asked: a title, the path of a question, and what an answer has to be. */
const rows = [
  ['list, first page of 50', () => list(''), isPage],
  ['list, page by page', list, isPage],
  ['open', () => `/v1/conversations/chat${below(conversations)}`, isOpen],
  ['search, the commonest word', () => search('word1'), isFull],
  ['search, a common word', () => search(common()), isFull],
  ['search, a rare word', () => search(rare()), isHits],
  ['search, two common words', () => search(`${common()} ${common()}`), isFull],
  ['search, a common and a rare word', () => search(`${common()} ${rare()}`), isHits],
  ['search, two rare words', () => search(`${rare()} ${rare()}`), isHits],
  ['search, a phrase', () => search(`"${common()} ${common()}"`), isFull],
  ['search, the beginning of words', () => search(`word${10 + below(1000)}*`), isFull],
  ['search, no such word', () => search(`nothing${below(1000)}`), isEmpty],
];

if (process.env.STORE_CHINESE === '1') {
  rows.push(
    ['search, a common word in Chinese', () => search(commonChinese()), isFull],
    ['search, a rare word in Chinese', () => search(rareChinese()), isHits],
    ['search, two common words in Chinese', () => search(`${commonChinese()} ${commonChinese()}`),
      isFull],
    ['search, a Chinese and a Latin word', () => search(`${rareChinese()} ${rare()}`), isHits],
    ['search, two words in a row in Chinese', () => search(commonChinese() + commonChinese()),
      isHits],
  );
}

async function measureRow(url, [title, path, right]) {
  const times = [];
  let next = '';
  for (let i = 0; i < questions; i += 1) {
    const { milliseconds, body } = await ask(url + path(next));
    if (!right(body)) throw new Error(`${title}: ${JSON.stringify(body).slice(0, 500)}`);
    next = body.next ? `&cursor=${encodeURIComponent(body.next)}` : '';
    times.push(milliseconds);
  }
  const [p50, p99] = [percentile(times, 50), percentile(times, 99)];
  console.log(`| ${title} | ${p50.toFixed(2)} ms | ${p99.toFixed(2)} ms | ${limitMs} ms |` +
    `${p99 < limitMs ? '' : ' above'}`);
  return p99 < limitMs;
}

async function started(folder) {
  const troupe = await startTroupe(['serve', '--listen', '127.0.0.1:0', '--data', folder]);
  await pause(settleMs);
  return { ...troupe, rss: residentMiB(troupe.child) };
}

if (!existsSync(path.join(data, 'troupe.db'))) {
  const begun = performance.now();
  execFileSync(path.join(bin, 'bench-store-fill'), [data, conversations, messages].map(String));
  console.log(`Filled in ${((performance.now() - begun) / 1000).toFixed(0)} s.`);
}

const empty = await started(path.join(work, 'empty'));
await end(empty.child);
const full = await started(data);
const size = statSync(path.join(data, 'troupe.db')).size / 1048576;
console.log(`${conversations} conversations of ${messages} messages, ${size.toFixed(0)} MiB; ` +
  `${questions} questions per row, one after the other over HTTP.\n`);
console.log('| measure | p50 | p99 | limit |\n|---|---|---|---|');
let good = true;
for (const row of rows) good = (await measureRow(full.url, row)) && good;
const idleCpu = cpuMs(full.child);
const after = residentMiB(full.child);
await pause(2000);
console.log(`\n| measure | empty | full | limit |\n|---|---|---|---|`);
console.log(`| start until ready | ${empty.milliseconds.toFixed(0)} ms | ` +
  `${full.milliseconds.toFixed(0)} ms | 1000 ms |`);
console.log(`| RSS, idle after the start | ${empty.rss.toFixed(1)} MiB | ` +
  `${full.rss.toFixed(1)} MiB (+${(full.rss - empty.rss).toFixed(1)}) | +20 MiB |`);
console.log(`| RSS after all questions | | ${after.toFixed(1)} MiB ` +
  `(+${(after - empty.rss).toFixed(1)}) | +20 MiB |`);
const share = (cpuMs(full.child) - idleCpu) / 20;
console.log(`| CPU of the idle server | | ${share.toFixed(1)} % | |`);
await end(full.child);
good &&= full.milliseconds < 1000 && after - empty.rss < 20;
process.exit(good ? 0 : 1);
