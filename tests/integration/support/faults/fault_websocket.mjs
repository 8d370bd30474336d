// The fault server's WebSocket (RFC 6455): one JSON-RPC message per text frame, subprotocol mcp.
import { createHash } from 'node:crypto';

const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const opcodes = { continuation: 0, text: 1, close: 8, ping: 9, pong: 10 };

/** Returns the bytes before the payload of a final frame, unmasked as servers send it. */
function frameHead(opcode, length) {
  if (length < 126) return Buffer.from([0x80 | opcode, length]);
  const long = length > 0xffff;
  const head = Buffer.alloc(long ? 10 : 4);
  head[0] = 0x80 | opcode;
  head[1] = long ? 127 : 126;
  if (long) head.writeBigUInt64BE(BigInt(length), 2);
  else head.writeUInt16BE(length, 2);
  return head;
}

const frame = (opcode, payload) => Buffer.concat([frameHead(opcode, payload.length), payload]);

/** Cuts a byte stream into the client's frames. */
class FrameReader {
  constructor(found) {
    this.found = found;
    this.rest = Buffer.alloc(0);
    this.parts = [];
  }

  read(bytes) {
    this.rest = Buffer.concat([this.rest, bytes]);
    while (this.#next());
  }

  #next() {
    const { rest } = this;
    if (rest.length < 2) return false;
    const short = rest[1] & 0x7f;
    const extra = short === 127 ? 8 : short === 126 ? 2 : 0;
    const start = 2 + extra + 4;
    if (rest.length < start) return false;
    const long = extra === 8 ? Number(rest.readBigUInt64BE(2)) : extra && rest.readUInt16BE(2);
    const length = long || short;
    if (rest.length < start + length) return false;
    const mask = rest.subarray(start - 4, start);
    const payload = Buffer.from(rest.subarray(start, start + length));
    for (let i = 0; i < length; i += 1) payload[i] ^= mask[i % 4];
    this.rest = rest.subarray(start + length);
    this.#take(rest[0] & 0x0f, Boolean(rest[0] & 0x80), Boolean(rest[1] & 0x80), payload);
    return true;
  }

  #take(opcode, final, masked, payload) {
    if (!masked) return this.found('unmasked', payload);
    if (opcode >= opcodes.close) return this.found(opcode, payload);
    this.parts.push(payload);
    if (!final) return undefined;
    const whole = Buffer.concat(this.parts.splice(0));
    return this.found(opcodes.text, whole);
  }
}

/** The `out` of a WebSocket connection. */
function socketOut(socket) {
  const out = {
    get closed() {
      return socket.destroyed || socket.writableEnded;
    },
    message: (object) => out.bytes(out.frame(Buffer.from(JSON.stringify(object)))),
    frame: (text) => frame(opcodes.text, text),
    around: (length) => ({ head: frameHead(opcodes.text, length), tail: Buffer.alloc(0) }),
    bytes: (bytes) =>
      new Promise((resolve) => {
        if (out.closed) return resolve();
        socket.once('close', resolve);
        return socket.write(bytes, () => {
          socket.off('close', resolve);
          resolve();
        });
      }),
    finish() {},
    close: (code) => out.bytes(frame(opcodes.close, Buffer.from([code >> 8, code & 0xff]))),
    hangUp() {
      out.close(1001);
      socket.end();
    },
    cut: () => socket.destroy(),
    die: () => socket.destroy(),
  };
  return out;
}

/** Returns the handshake's answer; the faults `refused`, `wrong-accept`, `wrong-subprotocol`. */
function handshake(request, fault) {
  if (fault === 'refused') return 'HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno';
  const key = fault === 'wrong-accept' ? 'another' : request.headers['sec-websocket-key'];
  const accept = createHash('sha1').update(key + magic).digest('base64');
  const protocol = fault === 'wrong-subprotocol' ? 'chat' : 'mcp';
  return [
    'HTTP/1.1 101 Switching Protocols',
    'upgrade: websocket',
    'connection: Upgrade',
    `sec-websocket-accept: ${accept}`,
    `sec-websocket-protocol: ${protocol}`,
    '\r\n',
  ].join('\r\n');
}

/** Serves one WebSocket client of `server` until one of the two closes. */
export function acceptWebSocket(server, request, socket, head, { fault, times }) {
  const ofHandshake = ['refused', 'wrong-accept', 'wrong-subprotocol'].includes(fault);
  socket.on('error', () => {}).setNoDelay(true).setMaxListeners(0);
  server.journal.note('upgrade', { protocol: request.headers['sec-websocket-protocol'] });
  socket.write(handshake(request, fault));
  if (fault === 'refused') return socket.end();
  const out = socketOut(socket);
  const { id, session } = server.newSession(ofHandshake ? {} : { fault, times }, out);
  const reader = new FrameReader((opcode, payload) => {
    if (opcode === opcodes.text) session.receive(JSON.parse(payload.toString()), out);
    else if (opcode === opcodes.ping) out.bytes(frame(opcodes.pong, payload));
    else if (opcode === opcodes.close) {
      server.journal.note('close', { code: payload.length < 2 ? 1005 : payload.readUInt16BE(0) });
      out.bytes(frame(opcodes.close, payload.subarray(0, 2)));
      socket.end();
    } else if (opcode !== opcodes.pong) server.journal.note('broken frame', { opcode });
  });
  socket.on('data', (bytes) => reader.read(bytes));
  socket.on('close', () => {
    server.journal.note('socket closed');
    server.sessions.delete(id);
  });
  if (head.length) reader.read(head);
  return undefined;
}
