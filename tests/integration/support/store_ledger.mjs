// What clients were told by a server that may die at any moment, and whether its store has it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { settles } from './patience.mjs';
import { assertBeginsWith, plain, plainStored } from './store_history.mjs';
import { answerTo, question } from './store_model.mjs';
import { Turn, assertWellFormed } from './turns.mjs';

/** One chat, with its turns in order; only one of them runs at a time. */
export class Chat {
  constructor(id) {
    this.id = id;
    this.turns = [];
  }

  get last() {
    return this.turns.at(-1);
  }
}

/** A question without an answer is followed by a note, which the chat does not have. */
const isOfChat = ({ content }) => content !== '(No answer was given.)';

/** The chats of a test, and the questions that its model was asked. */
export class Ledger {
  constructor(model, prefix = 'chat') {
    this.model = model;
    this.prefix = prefix;
    this.chats = [];
    this.made = 0;
    this.asked = new Map(); // turn -> the messages of its last question
  }

  newChat() {
    const chat = new Chat(`${this.prefix}-${this.chats.length + 1}`);
    this.chats.push(chat);
    return chat;
  }

  /**
   * Takes a turn in `chat`, to its end or to that of the server. Resolves with {name, ended, error,
   * turn}; `ended` says that the client saw SESSION_END.
   */
  async take(server, chat, { rounds = 0, body = {}, agent } = {}) {
    this.made += 1;
    const name = `t${this.made}`;
    const entry = { name, question: question(name, rounds), ended: false };
    chat.turns.push(entry);
    const message = { message: entry.question, ...body };
    entry.turn = new Turn(server.url, message, { session: chat.id, agent });
    await settles(`${name} is over`, entry.turn.ended.catch(() => {}), 60000);
    const { events } = entry.turn;
    entry.ended = events.at(-1)?.type === 'SESSION_END';
    entry.error = events.find((event) => event.type === 'SESSION_ERROR');
    if (entry.ended) assertWellFormed(events);
    if (entry.ended) assert.equal(entry.turn.text(), answerTo(name));
    return entry;
  }

  /** Takes over what the model was asked; each question must go on where the one before ended. */
  collect() {
    const chatOf = new Map(
      this.chats.flatMap((chat) => chat.turns.map((entry) => [entry.name, chat])),
    );
    for (const { turn, messages } of this.model.questions) {
      const chat = chatOf.get(turn);
      const now = messages.filter(isOfChat).map(plain);
      assertBeginsWith(now, this.known(chat, turn), `${turn} was asked with all that was before`);
      this.asked.set(turn, now);
    }
    this.model.forget();
  }

  /** What the store must have of a chat, at least: what the model or the client has seen. */
  known(chat, until) {
    const end = until ? chat.turns.findIndex((entry) => entry.name === until) + 1 : undefined;
    const entry = chat.turns.slice(0, end).findLast(({ name }) => this.asked.has(name));
    if (!entry) return [];
    const asked = this.asked.get(entry.name);
    const isOver = entry.ended && entry.name !== until;
    return isOver ? [...asked, finalAnswer(entry)] : asked;
  }

  /** Fails unless `found`, the export of the chat, has all that was acknowledged, once. */
  assertKept(chat, found) {
    const known = this.known(chat);
    const what = `${chat.id}: ${chat.turns.map(({ name, ended }) => `${name}:${ended}`)}`;
    const seen = chat.turns.filter(({ turn, error }) => turn.events.length > 0 && !error);
    if (!found) return assert.deepEqual([...known, ...seen], [], `${what} is gone`);
    const stored = found.messages.map(plainStored);
    assertBeginsWith(stored, known, what);
    for (const { name, question: text } of seen) { // its first event was
      assert.ok(found.messages.some(({ message }) => message.text === text), `${what}: ${name} is kept`);
    }
    this.#assertTail(chat, stored.slice(known.length), what);
    assertOnce(chat, stored, what);
    this.#assertTurns(chat, found, what);
  }

  /** What nobody was told of may be there, but only as it would have gone on. */
  #assertTail(chat, tail, what) {
    const unanswered = chat.turns.filter(({ ended }) => !ended);
    const unasked = unanswered.filter(({ name }) => !this.asked.has(name));
    for (const { role, text, calls } of tail) {
      const shown = `${what}: ${JSON.stringify(tail)}`;
      assert.ok(['user', 'assistant', 'tool'].includes(role), shown);
      if (role === 'user') assert.ok(unasked.some((entry) => entry.question === text), shown);
      if (role === 'assistant' && !calls.length)
        assert.ok(unanswered.some(({ name }) => answerTo(name) === text), shown);
    }
  }

  #assertTurns(chat, found, what) {
    const rows = new Map(found.turns.map((row) => [row.turnId, row]));
    assert.equal(rows.size, found.turns.length, `${what}: no turn stands twice`);
    for (const { turnId, state, error } of found.turns) {
      assert.notEqual(state, 'running', `${what}: ${turnId} is not running any more`);
      if (state === 'interrupted') assert.equal(error?.code, 'server_restarted', what);
    }
    for (const { name, turn, ended, error } of chat.turns) {
      if (!turn.events.length) continue;
      const row = rows.get(turn.events[0].turnId);
      if (this.asked.has(name) || !error) assert.ok(row, `${what}: the turn ${name} has a row`);
      if (ended) assert.equal(row.state, 'ended', `${what}: ${name}`);
      if (row?.state === 'ended') assert.ok(!error, `${what}: ${name} has ended`);
    }
  }
}

function finalAnswer({ name }) {
  return { role: 'assistant', text: answerTo(name), calls: [], answers: '' };
}

function assertOnce(chat, stored, what) {
  const texts = stored.filter(({ role }) => role === 'user').map(({ text }) => text);
  assert.equal(new Set(texts).size, texts.length, `${what}: no question stands twice`);
  const sent = chat.turns.map((entry) => entry.question);
  assert.deepEqual(texts, sent.filter((text) => texts.includes(text)), `${what}: in their order`);
  const ids = stored.flatMap(({ calls }) => calls.map(([id]) => id));
  assert.equal(new Set(ids).size, ids.length, `${what}: no call stands twice`);
  const results = stored.filter(({ role }) => role === 'tool').map(({ answers }) => answers);
  assert.equal(new Set(results).size, results.length, `${what}: no result stands twice`);
}

/** Returns how often each run that the tool's server was asked for came, from its log. */
export function runsIn(log) {
  const runs = new Map();
  for (const line of readFileSync(log, 'utf8').split('\n')) {
    const [, run] = line.match(/"message":\s*"(run [^"]+)"/) ?? [];
    if (run) runs.set(run, (runs.get(run) ?? 0) + 1);
  }
  return runs;
}
