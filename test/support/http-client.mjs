import * as http from 'node:http';
import * as https from 'node:https';

/** Time limit of a response (ms). */
const PATIENCE_MS = 40_000;

/**
 * A response. Without one, `status` is 0 and `error` says why.
 *
 * @typedef {object} Outcome
 * @property {number} status
 * @property {number} seconds
 * @property {string} [error]
 * @property {Record<string, string | undefined>} [headers] names in lower case, repeated ones joined with ", "
 * @property {Buffer} [bytes]
 * @property {string} [text]
 * @property {any} [body] parsed JSON, or undefined
 */

/** A client of the service over a socket, with an address of its own where that matters. */
export class Client {
  #base;
  #agent;

  /**
   * @param {string} base such as `http://127.0.0.1:3000`
   * @param {object} [options]
   * @param {string} [options.token] access token
   * @param {boolean} [options.keepAlive] whether it reuses connections
   * @param {string} [options.address] a loopback address to send from, such as 127.0.0.2
   * @param {string} [options.ca] the certificate that is trusted, for https
   */
  constructor(base, { token, keepAlive = true, address = '127.0.0.1', ca } = {}) {
    const { Agent } = ca ? https : http;
    this.#base = base;
    this.token = token;
    this.#agent = new Agent({ keepAlive, localAddress: address, maxFreeSockets: 64, ca });
  }

  /**
   * @param {string} base
   * @param {{username: string, password: string}} account
   * @returns {Promise<Client & {user: any, sessionId: string}>} with the access token
   */
  static async logIn(base, { username, password }) {
    const { status, body } = await new Client(base).send('POST', '/sessions', { username, password });
    if (status !== 201) throw new Error(`The login of ${username} got ${status}: ${JSON.stringify(body)}`);
    const { accessToken: token, _id: sessionId, user } = body.data;
    return Object.assign(new Client(base, { token }), { user, sessionId });
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {object | Buffer} [body] bytes go as they are, anything else as JSON
   * @param {Record<string, string>} [headers]
   * @returns {Promise<Outcome>} never rejected
   */
  async send(method, path, body, headers) {
    const started = performance.now();
    const payload = body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const all = {
      ...(this.token && { authorization: `Bearer ${this.token}` }),
      ...(payload && { 'content-type': 'application/json' }),
      ...headers,
    };
    const outcome = await exchange(this.#base, method, path, { payload, headers: all, agent: this.#agent }).catch(
      (error) => ({ status: 0, error: error.code ?? error.message }),
    );
    return { ...outcome, seconds: (performance.now() - started) / 1000 };
  }

  /** @param {string} path */
  get(path) {
    return this.send('GET', path);
  }
}

/** Sends a request and reads its response. Not with fetch, which changes paths. A path in `base` is the BASE_PATH. */
function exchange(base, method, path, { payload, headers, agent }) {
  const { protocol, hostname, port, pathname } = new URL(base);
  const { request } = protocol === 'https:' ? https : http;
  const sent = payload === undefined ? headers : { ...headers, 'content-length': String(Buffer.byteLength(payload)) };
  const target = pathname.replace(/\/$/, '') + path;
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, agent, method, path: target, headers: sent, timeout: PATIENCE_MS });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no response within ${PATIENCE_MS / 1000} s`)));
    // After a response, this rejection has no effect.
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => read(incoming).then(resolve, reject));
    outgoing.end(payload);
  });
}

async function read(incoming) {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const joined = Object.entries(incoming.headers).map(([name, value]) => [name, [value].flat().join(', ')]);
  const headers = Object.fromEntries(joined);
  const text = bytes.toString();
  const body = /\bjson\b/.test(headers['content-type'] ?? '') && text ? JSON.parse(text) : undefined;
  return { status: incoming.statusCode, headers, bytes, text, body };
}
