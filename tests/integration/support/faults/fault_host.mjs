// Troupe's MCP surface as the fault tests use it, and the fault servers behind it.
import assert from 'node:assert/strict';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { Journal } from './fault_journal.mjs';
import { until } from '../patience.mjs';
import { Program, binary } from '../program.mjs';
import { configFile, folder } from '../servers.mjs';

const server = fileURLToPath(new URL('fault_server.mjs', import.meta.url));

/** Every transport, as `type` in a configuration. */
export const transports = ['stdio', 'http', 'sse', 'websocket'];

/** What a call may end with when the connection went away under it. */
export const lost = ['server_lost', 'outcome_unknown'];

/**
 * Starts the HTTP side of the fault servers. entry(type, name, fault, times) is an entry of
 * `mcpServers` for a server of its own, stdio included; journal(name) is what that one saw.
 */
export async function startFaultServers(t) {
  const journals = folder(t);
  const program = new Program(process.execPath, [server, '--http', '0', '--journal', journals]);
  t.after(() => program.end());
  const [, url] = await program.prints(/listening on (http:\/\/[\d.]+:\d+)/);
  const query = (fault, times) => (fault ? `?fault=${fault}${times ? `&times=${times}` : ''}` : '');
  return {
    url,
    program,
    journal: (name) => new Journal(journals, name),
    entry(type, name, fault, times) {
      if (type === 'stdio') {
        const more = fault ? ['--fault', fault, ...(times ? ['--times', String(times)] : [])] : [];
        const args = [server, '--stdio', name, '--journal', journals, ...more];
        return { type, command: process.execPath, args };
      }
      const path = { http: 'mcp', sse: 'sse', websocket: 'ws' }[type];
      const origin = type === 'websocket' ? url.replace('http', 'ws') : url;
      return { type, url: `${origin}/${path}/${name}${query(fault, times)}` };
    },
  };
}

/** Starts `troupe serve` without waiting for its MCP servers; has `url` and `program`. */
export async function startUnready(t, config) {
  const file = configFile(t, { listen: '127.0.0.1:0', ...config });
  const program = new Program(binary('troupe'), ['serve', '--config', file]);
  t.after(() => program.ended ?? program.end());
  const [, url] = await program.prints(/listening on (http:\/\/[\d.]+:\d+)/);
  return { url, program };
}

/** The routes under /v1/mcp of the server at `url`. */
export class McpSurface {
  constructor(url) {
    this.url = `${url}/v1/mcp`;
    this.agent = new http.Agent({ keepAlive: true });
  }

  /** Calls a tool; resolves with {took, error, text, result}, `took` in milliseconds. */
  async call(name, tool, args = {}) {
    const began = performance.now();
    const body = { server: name, tool, arguments: args };
    const { json } = await this.#ask('POST', '/tools/call', body);
    return { took: performance.now() - began, ...json };
  }

  /** Calls the tool `fault`. */
  fault(name, kind, more = {}) {
    return this.call(name, 'fault', { kind, ...more });
  }

  async servers() {
    return (await this.#ask('GET', '/servers')).json.servers;
  }

  async server(name) {
    const { status, json } = await this.#ask('GET', `/servers/${name}`);
    return status === 200 ? json : undefined;
  }

  async tools() {
    return (await this.#ask('GET', '/tools')).json.tools;
  }

  async put(name, entry) {
    const { status, json } = await this.#ask('PUT', `/servers/${name}`, entry);
    assert.ok(status < 300, `PUT ${name}: ${status} ${JSON.stringify(json)}`);
  }

  enable(name, enabled) {
    return this.#ask('PATCH', `/servers/${name}`, { enabled });
  }

  remove(name) {
    return this.#ask('DELETE', `/servers/${name}`);
  }

  retry(name) {
    return this.#ask('POST', `/servers/${name}/retry`);
  }

  /** Resolves with the server once its health is that. */
  health(name, wanted, milliseconds = 10000) {
    return until(
      `${name} has health ${wanted}`,
      async () => {
        const found = await this.server(name);
        return found?.health === wanted ? found : assert.fail(JSON.stringify(found));
      },
      milliseconds,
    );
  }

  /** Resolves once a healthy call of that server works, after retries by hand where it is down. */
  usable(name) {
    return until(
      `${name} is usable`,
      async () => {
        if ((await this.server(name))?.health !== 'success') await this.retry(name);
        const { error, text } = await this.call(name, 'echo', { text: 'hello' });
        return (error === null && text === 'hello') || assert.fail(JSON.stringify(error ?? text));
      },
      15000,
    );
  }

  #ask(method, path, body) {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const request = http.request(this.url + path, { method, agent: this.agent, headers });
      request.on('error', reject).on('response', async (response) => {
        let text = '';
        try {
          for await (const piece of response.setEncoding('utf8')) text += piece;
          resolve({ status: response.statusCode, json: text ? JSON.parse(text) : undefined });
        } catch (error) {
          reject(new Error(`${method} ${path}: ${response.statusCode} ${text}: ${error.message}`));
        }
      });
      request.end(body && JSON.stringify(body));
    });
  }
}
