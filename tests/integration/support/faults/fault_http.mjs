// The fault server's HTTP: Streamable HTTP under /mcp/, HTTP+SSE of 2024-11-05 under /sse/.
import http from 'node:http';
import { Journal } from './fault_journal.mjs';
import { FaultSession } from './fault_session.mjs';
import { acceptWebSocket } from './fault_websocket.mjs';

/** How servers in the wild say that they do not know a session, by status. */
const lostForms = {
  200: { jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' } },
  404: { jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null },
  400: {
    jsonrpc: '2.0',
    error: { code: -32000, message: 'Bad Request: No valid session ID provided' },
    id: null,
  },
  401: { error: 'Unauthorized: Session not found' },
  503: { error: 'Session is not available any more, please initialize again' },
};

/** The `out` of a server-sent event stream: the response to one request, or a stream of its own. */
class SseOut {
  /** @param shared whether many answers go through it, so that it outlives each */
  constructor(response, { shared = false, name } = {}) {
    this.response = response;
    this.shared = shared;
    this.prefix = Buffer.from(name ? `event: ${name}\ndata: ` : 'data: ');
    response.on('error', () => {}).setMaxListeners(0);
  }

  get closed() {
    return this.response.destroyed || this.response.writableEnded;
  }

  open() {
    if (this.response.headersSent || this.closed) return;
    const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };
    this.response.writeHead(200, headers);
    this.response.flushHeaders();
  }

  message(object) {
    return this.bytes(this.frame(Buffer.from(JSON.stringify(object))));
  }

  frame(text) {
    return Buffer.concat([this.prefix, text, Buffer.from('\n\n')]);
  }

  around() {
    return { head: this.prefix, tail: Buffer.from('\n\n') };
  }

  bytes(bytes) {
    this.open();
    if (this.closed) return Promise.resolve();
    return new Promise((resolve) => {
      this.response.once('close', resolve);
      this.response.write(bytes, () => {
        this.response.off('close', resolve);
        resolve();
      });
    });
  }

  finish() {
    if (this.shared || this.closed) return;
    if (!this.response.headersSent) this.response.writeHead(202);
    this.response.end();
  }

  hangUp() {
    this.open();
    this.response.end();
  }

  cut() {
    this.open();
    this.response.socket?.destroy();
  }

  die() {
    this.cut();
  }

  refuse(status, type, body, coding) {
    const fields = coding ? { 'content-encoding': coding } : {};
    if (!this.response.headersSent)
      this.response.writeHead(status, { 'content-type': type, ...fields });
    this.response.end(body);
  }

  /** Ends the stream behind an event id; the answer comes when the client resumes there. */
  async keep(call) {
    const { kept } = call.session;
    const id = `event-${kept.size + 1}`;
    kept.set(id, (out) => {
      call.out = out;
      if (call.args.answered === false) out.hangUp();
      else call.right();
    });
    await this.bytes(Buffer.from(`id: ${id}\nretry: ${call.args.retry ?? 100}\ndata: \n\n`));
    this.hangUp();
  }
}

/** One server of the process: its sessions by id. */
class Server {
  constructor(name, journal) {
    this.name = name;
    this.journal = journal;
    this.sessions = new Map();
    this.kept = new Map();
    this.started = 0;
    this.lostForm = 404;
  }

  newSession({ fault, times }, channel) {
    this.started += 1;
    const id = `${this.name}-${this.started}`;
    const session = new FaultSession({
      fault: times && this.started > Number(times) ? undefined : fault,
      journal: this.journal,
      channel,
      lose: (form, quietly) => this.lose(form, quietly),
    });
    session.kept = this.kept;
    this.sessions.set(id, session);
    return { id, session };
  }

  /** Forgets every session; their streams end, unless `quietly`. */
  lose(form = 404, quietly = false) {
    this.lostForm = form;
    if (!quietly) this.sessions.forEach((session) => session.channel?.hangUp?.());
    this.sessions.clear();
  }

  /** @param message undefined for a GET, which no error of JSON-RPC can answer */
  refuseLost(response, { id, method } = {}) {
    this.journal.note('lost', { status: this.lostForm, method });
    const status = this.lostForm === 200 && id === undefined ? 405 : this.lostForm;
    response.writeHead(status, { 'content-type': 'application/json' });
    const form = lostForms[this.lostForm];
    response.end(JSON.stringify(status === 200 ? { ...form, id } : form));
  }
}

async function jsonOf(request) {
  let body = '';
  for await (const piece of request.setEncoding('utf8')) body += piece;
  return JSON.parse(body);
}

async function postStreamable(server, request, response, options) {
  const message = await jsonOf(request);
  let session = server.sessions.get(request.headers['mcp-session-id']);
  if (message.method === 'initialize') {
    const made = server.newSession(options, { closed: true, message() {} });
    response.setHeader('mcp-session-id', made.id);
    session = made.session;
  }
  if (!session) return server.refuseLost(response, message);
  return session.receive(message, new SseOut(response));
}

function getStreamable(server, request, response) {
  const resumed = server.kept.get(request.headers['last-event-id']);
  if (resumed) return resumed(new SseOut(response));
  const session = server.sessions.get(request.headers['mcp-session-id']);
  if (!session) return server.refuseLost(response);
  session.channel = new SseOut(response, { shared: true });
  return session.channel.open();
}

function deleteStreamable(server, request, response) {
  const id = request.headers['mcp-session-id'];
  server.journal.note('session deleted', { session: id, known: server.sessions.delete(id) });
  response.writeHead(200).end();
}

/** @param options fault `no-endpoint` and `foreign-endpoint` are of this transport alone */
function getLegacy(server, request, response, options) {
  const out = new SseOut(response, { shared: true, name: 'message' });
  out.open();
  if (options.fault === 'no-endpoint') return;
  const own = ['foreign-endpoint'].includes(options.fault);
  const { id } = server.newSession(own ? { ...options, fault: undefined } : options, out);
  const origin = own ? 'http://127.0.0.2:9' : '';
  const endpoint = `${origin}/message/${server.name}?session=${id}`;
  out.bytes(Buffer.from(`event: endpoint\ndata: ${endpoint}\n\n`));
  response.on('close', () => {
    server.journal.note('stream closed');
    server.sessions.delete(id);
  });
}

async function postLegacy(server, request, response, options) {
  const message = await jsonOf(request);
  const session = server.sessions.get(options.session);
  if (!session) return server.refuseLost(response);
  if (message.params?.arguments?.kind === 'status') {
    const { status, body = '' } = message.params.arguments;
    return response.writeHead(status).end(body);
  }
  response.writeHead(202).end('Accepted');
  return session.receive(message, session.channel);
}

const routes = {
  'POST /mcp/': postStreamable,
  'GET /mcp/': getStreamable,
  'DELETE /mcp/': deleteStreamable,
  'GET /sse/': getLegacy,
  'POST /message/': postLegacy,
};

/** Serves until the process is ended; prints where. */
export function serveHttp(port, journals) {
  const servers = new Map();
  const find = (request) => {
    const url = new URL(request.url, 'http://localhost');
    const [, kind, name] = url.pathname.match(/^(\/\w+\/)(.+)$/) ?? [];
    if (name && !servers.has(name))
      servers.set(name, new Server(name, new Journal(journals, name)));
    return { kind, server: servers.get(name), options: Object.fromEntries(url.searchParams) };
  };
  const listener = http.createServer({ keepAliveTimeout: 60000 }, async (request, response) => {
    const { kind, server, options } = find(request);
    const route = routes[`${request.method} ${kind}`];
    if (!route) return response.writeHead(404).end();
    server.journal.note(request.method, { session: request.headers['mcp-session-id'] });
    try {
      return await route(server, request, response, options);
    } catch (error) {
      return console.error(error);
    }
  });
  listener.on('upgrade', (request, socket, head) => {
    const { kind, server, options } = find(request);
    if (kind === '/ws/') acceptWebSocket(server, request, socket, head, options);
    else socket.destroy();
  });
  listener.requestTimeout = 0;
  listener.listen(port, '127.0.0.1', () =>
    console.log(`listening on http://127.0.0.1:${listener.address().port}`),
  );
}
