// Everything that can go wrong in a tool call, and what it has to come to.
import { lost, transports } from './fault_host.mjs';

export const idle = 400; // requestTimeoutMs
export const total = 1500; // totalTimeoutMs
const early = 100; // an answer that ends without its response
const dead = 50; // a server that is gone

const elicitation = {
  method: 'elicitation/create',
  params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
};
const sampling = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 10 },
};
const shared = ['stdio', 'sse', 'websocket']; // one stream for all answers
const html = { type: 'text/html', body: '<html><body>Welcome</body></html>' };
const json = { status: 200, type: 'application/json' };
const rightBody = '{"id":$id,"result":{"content":[{"type":"text","text":"right"}]}}';

/**
 * A row: the fault, what it gives (a text, or the codes of which one is expected), and the latest
 * milliseconds. More: `args` of the call, `from` the earliest milliseconds, `over` the transports
 * (all of them), `tool` (`fault`), `server` changes the entry; the server of a `hopeless` one goes
 * on with its fault.
 */
const row = (kind, gives, at, more = {}) => ({ kind, gives, at, over: transports, ...more });
const timedOut = ['tool_timeout'];
const broken = ['server_protocol'];
const refused = ['server_unavailable'];

export const rows = [
  row('silence', timedOut, idle, { from: idle }),
  row('early-end', lost, early),
  row('early-end-resumable', 'right', 100 + early, { over: ['http'], from: 100 }),
  row('early-end-resumable', [...lost, ...timedOut], idle, {
    over: ['http'], args: { answered: false },
  }),
  row('cut', lost, dead),
  row('crash', lost, dead, { over: ['stdio'] }),
  row('crash', 'right', 2000, { tool: 'fault-safe', args: { times: 1 } }),
  row('long-message', [...lost, ...broken], 5000, { args: { bytes: 100e6 } }),
  row('flood', timedOut, idle, { from: idle, args: { until: 'cancelled' } }),
  row('flood', timedOut, idle, { from: idle, hopeless: true }),
  row('endless-progress', timedOut, total, { from: total, server: { requestTimeoutMs: total - 100 } }),
  row('drip', 'right', 2000, { args: { every: 2 } }),
  row('drip', timedOut, idle, { from: idle, args: { every: 50 } }),
  row('wrong-id', 'right', early, { args: { id: 1e9 } }),
  row('wrong-id', 'right', early, { args: { id: 'unknown' } }),
  row('wrong-id', 'right', early, { args: { id: null } }),
  row('wrong-id', lost, early, { args: { id: 1e9, only: true }, over: ['http'] }),
  row('wrong-id', timedOut, idle, { args: { id: 1e9, only: true }, over: shared }),
  row('id-as-string', 'right', early),
  row('duplicate', 'right', early),
  row('late', timedOut, idle, { from: idle }),
  row('noise', 'right', early),
  row('invalid-utf8', broken, early, { over: ['stdio', 'http', 'sse'] }),
  row('invalid-utf8', [...lost, ...broken], early, { over: ['websocket'] }),
  row('json-bomb', broken, early, { args: { depth: 1e5 } }),
  row('json-bomb', broken, early, { args: { depth: 1e5, open: true } }),
  row('broken', broken, early, { args: { tail: ',"result":{"content":[' } }),
  row('broken', broken, early, { args: { tail: ',"result":{"a":"\u0001"}}' } }),
  row('broken', broken, early, { args: { tail: ',"result":{"a":1,}}' } }),
  row('broken', broken, early, { args: { tail: ',"result":{}} trailing' } }),
  row('broken', broken, early, { args: { tail: '}' } }),
  row('broken', broken, early, { args: { head: '{"jsonrpc":"1.0","id":', tail: ',"result":{}}' } }),
  row('broken', broken, early, { args: { head: '{"result":{"a":1,},"id":', tail: '}' } }),
  row('error-without-id', ['server_refused'], early),
  row('error-without-id', ['server_refused'], early, { args: { id: null } }),
  row('error-without-id', ['server_refused'], early, { args: { id: 'server-error' } }),
  row('marked', '\ufeffright', early),
  row('result-of-wrong-type', broken, early, { args: { result: 'text' } }),
  row('result-of-wrong-type', broken, early, { args: { result: null } }),
  row('result-of-wrong-type', broken, early, { args: { result: [[]] } }),
  row('result-of-wrong-type', broken, early, { args: { result: { content: 5 } } }),
  row('error', ['server_refused'], early),
  row('ask-and-vanish', lost, dead, { args: elicitation }),
  row('ask-and-vanish', lost, 30 + dead, { args: { ...sampling, after: 30 } }),
  row('list-changed-storm', 'right', 1000, { args: { ms: 500 } }),
  row('status', refused, early, { args: { status: 500, body: 'oops' }, over: ['http', 'sse'] }),
  row('status', refused, early, { args: { status: 503, body: 'busy' }, over: ['http', 'sse'] }),
  row('status', refused, early, { args: { status: 401 }, over: ['http', 'sse'] }),
  row('status', ['server_refused'], early, {
    args: { ...json, status: 422, body: '{"id":null,"error":{"code":-1,"message":"no"}}' },
    over: ['http'],
  }),
  row('status', refused, early, { args: { status: 500, coding: 'br', body: 'x' }, over: ['http'] }),
  row('status', lost, early, { args: { ...json, coding: 'br', body: 'x' }, over: ['http'] }),
  row('status', 'right', early, { args: { ...json, body: `\ufeff${rightBody}` }, over: ['http'] }),
  row('status', [...lost, ...broken], early, {
    args: { ...json, body: '{"id":1e9,"result":{}}' }, over: ['http'],
  }),
  row('status', [...lost, ...broken], early, { args: { status: 200, ...html }, over: ['http'] }),
  row('status', [...lost, ...broken], early, { args: { status: 202 }, over: ['http'] }),
  row('status', [...lost, ...broken], early, { args: { ...json, body: '' }, over: ['http'] }),
  row('status', [...lost, ...broken], early, { args: { ...json, body: '{"js' }, over: ['http'] }),
  row('task', timedOut, total, { tool: 'task', from: idle }),
];
