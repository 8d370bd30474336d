// Clients that take a server's memory and do nothing for it: each sort sends or reads too little.
import net from 'node:net';

const body = 'x'.repeat(64 * 1024);

/** Returns the head of a POST with a body of 8 MB. @param key of the API; "" = none */
const post = (key, more = '') =>
  `POST /api/chat HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${authorization(key)}` +
  `${more || 'Content-Length: 8000000\r\n'}\r\n`;

const authorization = (key) => (key ? `Authorization: Bearer ${key}\r\n` : '');

const upgrade = (key) =>
  `GET /v1/ws HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization(key)}Connection: Upgrade\r\n` +
  'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n' +
  'Sec-WebSocket-Protocol: troupe.v1\r\n\r\n';

/** A text frame that announces 4 MB, with a mask of zeros. */
const frameHead = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x3d, 0x09, 0, 0, 0, 0, 0]);

/** What each sort sends at once; `reads: false` leaves what comes in the socket. */
export const sorts = {
  silent: { bytes: () => '' },
  'half a head': { bytes: () => 'POST /api/chat HTTP/1.1\r\nHost: 127' },
  'half a body': { bytes: (key) => post(key) + body },
  'half a chunk': {
    bytes: (key) => `${post(key, 'Transfer-Encoding: chunked\r\n')}400000\r\n${body}`,
  },
  'a body in drops': { bytes: (key) => post(key) + body, drops: true },
  'an answer that is not read': {
    bytes: (key) => `GET /v1/conversations/large HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization(key)}\r\n`,
    reads: false,
  },
  'many answers that are not read': {
    bytes: (key) =>
      `GET /v1/status HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization(key)}\r\n`.repeat(400),
    reads: false,
  },
  'half a WebSocket message': {
    bytes: (key) => Buffer.concat([Buffer.from(upgrade(key)), frameHead, Buffer.from(body)]),
  },
  'events that are not read': {
    bytes: (key) => `GET /v1/mcp/events HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization(key)}\r\n`,
    reads: false,
  },
};

/** Opens `count` clients of one sort; resolves with them once all have sent what they could. */
export async function openPeers(url, sort, count, key = '') {
  const { hostname, port } = new URL(url);
  const { bytes, reads = true, drops = false } = sorts[sort];
  const peers = [];
  for (let i = 0; i < count; ++i) {
    const socket = net.connect({ port: Number(port), host: hostname });
    socket.on('error', () => {});
    if (reads) socket.resume();
    else socket.pause();
    socket.write(bytes(key));
    if (drops) {
      const timer = setInterval(() => socket.writable && socket.write('x'), 1000);
      socket.on('close', () => clearInterval(timer));
    }
    peers.push(socket);
    if (i % 100 === 99) await new Promise((resolve) => { setImmediate(resolve); });
  }
  await Promise.all(peers.map((socket) => new Promise((resolve) => {
    if (!socket.connecting) resolve();
    else socket.once('connect', resolve).once('close', resolve);
  })));
  return peers;
}

export const closePeers = (peers) => peers.forEach((socket) => socket.destroy());
