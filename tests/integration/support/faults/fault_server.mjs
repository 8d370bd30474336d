// An MCP server that misbehaves in one call and is healthy in the next.
//
//   fault_server.mjs --stdio NAME [--fault FAULT] [--times N] [--journal FOLDER]
//   fault_server.mjs --http PORT [--journal FOLDER]       port 0 takes a free one
//
// Over HTTP one process is any number of servers, by path: /mcp/NAME (Streamable HTTP), /sse/NAME
// (HTTP+SSE of 2024-11-05) and /ws/NAME (WebSocket), each with ?fault=FAULT&times=N. Faults of a
// call are arguments of its tools (fault_calls.mjs), those before the first call are FAULT
// (fault_starts.mjs), in the first N starts or in all of them.
import { closeSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { serveHttp } from './fault_http.mjs';
import { Journal } from './fault_journal.mjs';
import { FaultSession } from './fault_session.mjs';

const { values } = parseArgs({
  options: {
    stdio: { type: 'string' },
    http: { type: 'string' },
    fault: { type: 'string' },
    times: { type: 'string' },
    journal: { type: 'string' },
  },
});

if (values.stdio) serveStdio();
else serveHttp(Number(values.http), values.journal);

/** The `out` of a stdio server: everything goes to stdout, a message is a line. */
function stdioOut() {
  const newline = Buffer.from('\n');
  const out = {
    closed: false,
    message: (object) => out.bytes(out.frame(Buffer.from(JSON.stringify(object)))),
    frame: (text) => Buffer.concat([text, newline]),
    around: () => ({ head: Buffer.alloc(0), tail: newline }),
    bytes: (bytes) =>
      new Promise((resolve) => {
        if (out.closed) resolve();
        else process.stdout.write(bytes, () => resolve());
      }),
    finish() {},
    hangUp() {
      out.closed = true;
      closeSync(1); // the program lives on
    },
    cut: () => process.kill(process.pid, 'SIGKILL'),
    die: () => process.exit(1),
  };
  process.stdout.on('error', () => (out.closed = true));
  return out;
}

async function serveStdio() {
  const journal = new Journal(values.journal, values.stdio);
  journal.note('start', { pid: process.pid });
  const healthy = values.times && journal.count('start') > Number(values.times);
  const out = stdioOut();
  const fault = healthy ? undefined : values.fault;
  const session = new FaultSession({ fault, journal, channel: out });
  writeSync(2, 'fault server started\n');
  await session.fault.start?.({ session, out });
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) if (line) session.receive(JSON.parse(line), out);
  });
  process.stdin.on('end', () => {
    journal.note('stdin closed');
    process.exit(0);
  });
}
