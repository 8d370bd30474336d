// A client of /v1/ws: many sessions on one connection, each with the events it got.
import assert from 'node:assert/strict';
import WebSocket from 'ws';
import { settles } from './patience.mjs';

/** The events of one session, from whichever connections they came. */
export class Session {
  constructor(id) {
    this.id = id;
    this.events = [];
    this.notices = [];
    this.watchers = new Set();
  }

  take(message) {
    if (message.type === 'events') {
      message.events.forEach((event, i) => {
        assert.equal(event.seq, message.first + i, 'a frame holds consecutive events');
        assert.equal(event.sessionId, this.id);
        assert.equal(event.turnId, message.turn);
        assert.ok(!this.over, `nothing follows the end of ${this.id}`);
        this.events.push(event);
      });
    } else {
      this.notices.push(message);
    }
    this.watchers.forEach((watch) => watch());
  }

  get over() {
    return /^SESSION_(END|ERROR)$/.test(this.events.at(-1)?.type);
  }

  get lastSeq() {
    return this.events.at(-1)?.seq ?? 0;
  }

  types() {
    return this.events.map((event) => event.type).filter((type, i, all) => type !== all[i - 1]);
  }

  /** Resolves with what `condition` returns, once it is truthy. */
  async until(what, condition, milliseconds = 60000) {
    const found = new Promise((resolve) => {
      const watch = () => {
        const value = condition(this);
        if (!value) return;
        this.watchers.delete(watch);
        resolve(value);
      };
      this.watchers.add(watch);
      watch();
    });
    try {
      return await settles(`${this.id}: ${what}`, found, milliseconds);
    } catch (error) {
      const seen = `${this.types()} and ${JSON.stringify(this.notices)}`;
      throw new Error(`${error.message}, but ${seen}`);
    }
  }

  sees(type) {
    return this.until(type, () => this.events.find((event) => event.type === type));
  }

  isTold(type) {
    return this.until(type, () => this.notices.find((notice) => notice.type === type));
  }

  ends() {
    return this.until('ends', () => this.over);
  }
}

/** One connection. Sessions that it does not know are made when something comes for them. */
export class Connection {
  /** @param options of the ws client */
  static async open(troupe, options = {}) {
    const made = new Connection();
    made.socket = new WebSocket(`${troupe.url.replace('http', 'ws')}/v1/ws`, 'troupe.v1', options);
    made.closed = new Promise((resolve) => {
      made.socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
    });
    made.socket.on('message', (data, binary) => made.#take(data, binary));
    await settles('the handshake', new Promise((resolve, reject) => {
      made.socket.on('open', resolve).on('error', reject);
    }));
    assert.equal(made.socket.protocol, 'troupe.v1');
    return made;
  }

  sessions = new Map();
  others = []; // messages that are about no session

  #take(data, binary) {
    assert.ok(!binary, 'only texts are sent');
    const message = JSON.parse(data);
    if (message.session === undefined) this.others.push(message);
    else this.session(message.session).take(message);
  }

  /** Returns the session with that id; one of another connection may be given to take part. */
  session(id, from) {
    if (from) this.sessions.set(id, from);
    if (!this.sessions.has(id)) this.sessions.set(id, new Session(id));
    return this.sessions.get(id);
  }

  send(type, members = {}) {
    this.socket.send(JSON.stringify({ type, ...members }));
  }

  start(session, members) {
    this.send('start', { session, message: 'go', ...members });
    return this.session(session);
  }

  async close() {
    this.socket.close(1000);
    return this.closed;
  }
}
