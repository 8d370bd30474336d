// A bare TCP client, for requests that no HTTP library would send.
import net from 'node:net';
import { settles } from './patience.mjs';

/** One connection; `received` is what has come so far, `closed` resolves with all of it. */
export class RawClient {
  constructor(url) {
    const { hostname, port } = new URL(url);
    this.received = '';
    this.watchers = new Set();
    this.socket = net.connect(Number(port), hostname);
    this.socket.setEncoding('utf8').on('data', (text) => {
      this.received += text;
      this.watchers.forEach((watch) => watch());
    });
    this.closed = new Promise((resolve) => {
      this.socket.on('error', () => {});
      this.socket.on('close', () => resolve(this.received));
    });
  }

  send(text) {
    this.socket.write(text);
    return this;
  }

  /** Resolves with everything received once `pattern` is in it. */
  async receives(pattern, milliseconds = 5000) {
    const found = new Promise((resolve, reject) => {
      const watch = () => {
        if (!pattern.test(this.received)) return;
        this.watchers.delete(watch);
        resolve(this.received);
      };
      this.watchers.add(watch);
      watch();
      this.closed.then(() => reject(new Error(`closed without ${pattern}: ${this.received}`)));
    });
    return settles(`${pattern} arrives`, found, milliseconds);
  }

  close() {
    this.socket.destroy();
  }
}
