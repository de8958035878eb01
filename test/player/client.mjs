import http from 'node:http';
import { check } from './rules.mjs';

/**
 * @typedef {object} Response
 * @property {string} method
 * @property {string} path as sent
 * @property {string} route the path without base path and query
 * @property {number} status
 * @property {Record<string, string | undefined>} headers names in lower case, repeated ones joined with ", "
 * @property {Buffer} bytes
 * @property {string} text
 * @property {any} body parsed JSON, or undefined
 *
 * @typedef {object} Options
 * @property {unknown} [body] text and bytes are sent as they are, anything else as JSON
 * @property {Record<string, string | null>} [headers] null removes a default header
 * @property {string} [token] bearer token
 * @property {boolean} [chunked] send the body without Content-Length
 */

/** A small HTTP client that checks every response. Uses node:http, as fetch changes paths. */
export class Client {
  /** @type {Response | undefined} the latest response, for the report of a failed scene */
  last;
  /** How many requests were sent. */
  count = 0;

  /** @param {string} base such as `http://127.0.0.1:3000`; a path in it is the BASE_PATH */
  constructor(base) {
    const url = new URL(base);
    this.host = url.hostname;
    this.port = Number(url.port || 80);
    this.basePath = url.pathname.replace(/\/$/, '');
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  }

  /**
   * @param {string} method
   * @param {string} path sent byte for byte after the base path
   * @param {Options} [options]
   * @returns {Promise<Response>}
   * @throws if there is no response, or if it breaks a promise that holds for every response
   */
  async request(method, path, options = {}) {
    this.count += 1;
    const response = await this.#send(method, path, options);
    this.last = response;
    check(response);
    return response;
  }

  /** Closes idle connections. */
  close() {
    this.agent.destroy();
  }

  #send(method, path, options) {
    const { host, port, agent } = this;
    const payload = payloadOf(options.body);
    const headers = headersOf(options, payload);
    return new Promise((resolve, reject) => {
      const request = http.request({ host, port, agent, method, path: this.basePath + path, headers, timeout: 60_000 });
      let responded = false;
      request.on('timeout', () => request.destroy(new Error(`no response within 60 s: ${method} ${path}`)));
      request.on('error', (error) => responded || reject(new Error(`${method} ${path}: ${error.message}`)));
      request.on('response', (incoming) => {
        responded = true;
        readAll(incoming).then((bytes) => resolve(responseOf(method, path, incoming, bytes)), reject);
      });
      // Without Content-Length, end() with the whole body would add one.
      if (options.chunked) request.write(payload);
      request.end(options.chunked ? undefined : payload);
    });
  }
}

function payloadOf(body) {
  if (body === undefined) return undefined;
  if (typeof body === 'string' || Buffer.isBuffer(body)) return Buffer.from(body);
  return Buffer.from(JSON.stringify(body));
}

function headersOf({ token, chunked, headers: own = {} }, payload) {
  const headers = { 'user-agent': 'roster-player/1' };
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  if (payload) headers['content-type'] = 'application/json';
  if (payload && !chunked) headers['content-length'] = String(payload.length);
  return Object.fromEntries(Object.entries({ ...headers, ...own }).filter(([, value]) => value !== null));
}

function responseOf(method, path, { statusCode: status, headers: received }, bytes) {
  const joined = Object.entries(received).map(([name, value]) => [name, [value].flat().join(', ')]);
  const headers = Object.fromEntries(joined);
  const text = bytes.toString('utf8');
  const body = /\bjson\b/.test(headers['content-type'] ?? '') && text !== '' ? JSON.parse(text) : undefined;
  return { method, path, route: path.split('?')[0], status, headers, bytes, text, body };
}

async function readAll(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
