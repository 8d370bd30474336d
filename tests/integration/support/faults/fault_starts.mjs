// What can go wrong before the first call. A fault is a set of hooks by the client's method, `any`
// for all others; a hook that does not return 'healthy' takes the message for itself.
import { setTimeout as pause } from 'node:timers/promises';
import { tools } from './fault_calls.mjs';

const result = (message, value) => ({ jsonrpc: '2.0', id: message.id, result: value });

function pages(cursorAfter) {
  return {
    'tools/list'({ session, message, out }) {
      const n = (session.page = (session.page ?? 0) + 1);
      const tool = { name: `tool-${n}`, inputSchema: { type: 'object' } };
      const page = n === 1 ? [...tools, tool] : [tool];
      session.reply(message, out, { tools: page, nextCursor: cursorAfter(n) });
    },
  };
}

export const startFaults = {
  /** Over stdio: ends before it reads anything. */
  'exit-at-start': { start: ({ out }) => out.die() },

  'exit-on-first-message': { any: ({ out }) => out.die() },

  /** Never answers anything. */
  silent: { any() {} },

  'silent-in-list': { 'tools/list'() {} },

  /** Writes half of an answer and stays. */
  'half-an-answer': {
    async initialize({ out }) {
      await out.bytes(Buffer.from('{"jsonrpc":"2.0",'));
    },
  },

  'wrong-version': {
    initialize({ session, message, out }) {
      const serverInfo = { name: 'old', version: '0' };
      session.reply(message, out, { protocolVersion: '1999-01-01', capabilities: {}, serverInfo });
    },
  },

  'initialize-refused': {
    initialize({ message, out }) {
      const error = { code: -32603, message: 'not today' };
      out.message({ jsonrpc: '2.0', id: message.id, error });
      out.finish();
    },
  },

  'initialize-is-nonsense': {
    initialize({ message, out }) {
      out.message(result(message, 'nonsense'));
      out.finish();
    },
  },

  'list-is-nonsense': {
    'tools/list'({ message, out }) {
      out.message(result(message, { tools: [{ name: 5 }, null, 'x'] }));
      out.finish();
    },
  },

  /** The same cursor again and again. */
  'cursor-loop': pages(() => 'again'),

  /** A new cursor for ever. */
  'endless-pages': pages((n) => `page-${n}`),

  'noise-at-start': {
    async start({ out }) {
      await out.bytes(Buffer.from('Server is starting...\nListening\n\n'));
    },
  },

  /** Log messages without end from the first message on. */
  'flood-at-start': {
    async any({ out }) {
      const params = { level: 'debug', data: 'x'.repeat(200) };
      const line = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params });
      const chunk = Buffer.concat(Array(64).fill(out.frame(Buffer.from(line))));
      while (!out.closed) await out.bytes(chunk);
    },
  },

  /** A line without an end. */
  'endless-line': {
    async any({ out }) {
      await out.bytes(Buffer.from('{"jsonrpc":"2.0","method":"'));
      while (!out.closed) await out.bytes(Buffer.alloc(1 << 16, 'x'));
    },
  },

  /** Healthy, but every answer comes byte by byte, one in 100 ms. */
  'slow-drip': {
    async any({ message, out }) {
      if (message.id === undefined) return 'healthy';
      for (const byte of out.frame(Buffer.from(JSON.stringify(result(message, {}))))) {
        if (out.closed) return undefined;
        await out.bytes(Buffer.from([byte]));
        await pause(100);
      }
      return undefined;
    },
  },

  /** Says that its tools changed, 1000 times a second, for ever. */
  storm: {
    'notifications/initialized'({ session }) {
      const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
      setInterval(() => {
        for (let i = 0; i < 10 && !session.channel.closed; i += 1) session.channel.message(changed);
      }, 10).unref();
      return 'healthy';
    },
  },

  /** Connects and answers, and ends 10 ms later: a crash loop. */
  'crash-loop': {
    'tools/list'({ session, message, out }) {
      session.reply(message, out, { tools });
      setTimeout(() => out.die(), 10);
    },
  },
};
