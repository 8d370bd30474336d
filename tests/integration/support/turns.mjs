// Turns over the native stream: reading the SSE and judging the order of events.
import assert from 'node:assert/strict';
import http from 'node:http';
import { settles } from './patience.mjs';

let sessions = 0;

/** Returns a session id that no other test uses. */
export const newSession = () => `session-${process.pid}-${++sessions}`;

/** Parses server-sent events from pieces of text; calls `found` with {event, id, data}. */
export class SseReader {
  constructor(found) {
    this.found = found;
    this.rest = '';
  }

  read(text) {
    this.rest += text;
    for (let end; (end = this.rest.indexOf('\n\n')) >= 0; ) {
      const frame = {};
      for (const line of this.rest.slice(0, end).split('\n')) {
        const [, name, value] = line.match(/^(\w+): ?(.*)$/) ?? [];
        if (name) frame[name] = value;
      }
      this.rest = this.rest.slice(end + 2);
      if (frame.data !== undefined) this.found(frame);
    }
  }
}

/** One turn of the native stream, read while it runs; `verb` is the route that it is asked of. */
export class Turn {
  constructor(base, body, { session = newSession(), agent, headers, verb = 'turns' } = {}) {
    this.session = session;
    this.events = [];
    this.arrivals = [];
    this.watchers = new Set();
    this.errorText = '';
    this.started = new Promise((resolve, reject) => {
      this.ended = new Promise((finish, fail) => {
        this.#open(`${base}/v1/sessions/${encodeURIComponent(session)}/${verb}`, body, { agent, headers }, {
          resolve,
          finish,
          fail,
        });
      });
      this.ended.catch(reject);
    });
    this.started.catch(() => {});
    this.ended.catch(() => {});
  }

  #open(url, body, { agent, headers }, { resolve, finish, fail }) {
    const reader = new SseReader((frame) => this.#found(frame));
    this.request = http.request(url, {
      method: 'POST',
      agent: agent ?? new http.Agent({ keepAlive: false }),
      headers: { 'content-type': 'application/json', ...headers },
    });
    this.request.on('error', fail).on('response', (response) => {
      this.response = response;
      this.status = response.statusCode;
      resolve(this);
      response.setEncoding('utf8').on('data', (text) => {
        if (this.status === 200) reader.read(text);
        else this.errorText += text;
      });
      response.on('end', () => finish(this)).on('error', fail);
    });
    this.request.end(JSON.stringify(body));
  }

  #found(frame) {
    const event = JSON.parse(frame.data);
    assert.equal(frame.event, event.type, 'the event line and the JSON name the same type');
    assert.equal(frame.id, String(event.seq), 'the id line is the sequence number');
    this.events.push(event);
    this.arrivals.push(performance.now());
    this.watchers.forEach((watch) => watch());
  }

  /** Resolves with the first event of that type. */
  sees(type, milliseconds = 10000) {
    const found = new Promise((resolve, reject) => {
      const watch = () => {
        const event = this.events.find((one) => one.type === type);
        if (event) resolve(event);
        if (event) this.watchers.delete(watch);
      };
      this.watchers.add(watch);
      watch();
      this.ended.then(() => reject(new Error(`ended without ${type}: ${this.types()}`)), reject);
    });
    return settles(`${type} arrives (so far: ${this.types()})`, found, milliseconds);
  }

  /** Resolves with this once the answer is over. */
  ends(milliseconds = 30000) {
    return settles(`the turn ends (so far: ${this.types()})`, this.ended, milliseconds);
  }

  /** Closes the connection without another word. */
  disconnect() {
    this.request.destroy();
  }

  of(type) {
    return this.events.filter((event) => event.type === type);
  }

  /** The types in order, adjacent equal ones once. */
  types() {
    return this.events.map((event) => event.type).filter((type, i, all) => type !== all[i - 1]);
  }

  text() {
    return this.of('TEXT').map((event) => event.text).join('');
  }
}

/** Runs a turn to its end, checks the rules that hold for every turn, and resolves with it. */
export async function takeTurn(base, body, options = {}) {
  const turn = await new Turn(base, body, options).ends(options.milliseconds);
  assert.equal(turn.status, 200, turn.errorText);
  assertWellFormed(turn.events);
  return turn;
}

/** What holds for the events of every finished turn (design: exactly one terminal sequence). */
export function assertWellFormed(events) {
  const types = events.map((event) => event.type);
  const shown = types.join(' ');
  assert.equal(types[0], 'SESSION_START', shown);
  assert.deepEqual(events.map((event) => event.seq), events.map((_, i) => i + 1), 'gapless order');
  assert.equal(new Set(events.map((event) => event.turnId)).size, 1, 'one turn id');
  assert.equal(types.filter((type) => /^SESSION_(END|ERROR)$/.test(type)).length, 1, shown);
  assert.match(shown, /(MODEL_GENERATION_STOP SESSION_END|ABORT SESSION_END|SESSION_ERROR)$/);
  assertCallsClosed(events);
}

function assertCallsClosed(events) {
  const state = new Map();
  const next = {
    TOOL_ARGS_START: [undefined, 'args'],
    TOOL_ARGS_DELTA: ['args', 'args'],
    TOOL_ARGS_COMPLETE: ['args', 'ready'],
    MCP_TOOL_START: ['ready', 'running'],
    MCP_TOOL_PROGRESS: ['running', 'running'],
    MCP_TOOL_SUCCESS: ['running', 'done'],
    MCP_TOOL_ERROR: ['running', 'done'],
  };
  for (const { type, toolCallId, seq } of events) {
    if (!(type in next)) continue;
    const [from, to] = next[type];
    assert.equal(state.get(toolCallId), from, `${type} at ${seq} for call ${toolCallId}`);
    state.set(toolCallId, to);
  }
  for (const [id, last] of state) {
    assert.ok(last === 'done' || last === 'ready', `call ${id} was left in state ${last}`);
  }
}
