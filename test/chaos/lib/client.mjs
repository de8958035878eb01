import { Agent, request } from 'node:http';

/** Time limit of a response (ms). */
const PATIENCE_MS = 40_000;

/**
 * @typedef {object} Outcome
 * @property {number} status 0 if there was no response
 * @property {any} body parsed JSON; undefined if there is none
 * @property {number} seconds how long it took
 * @property {string} [error] why there was no response
 */

/** A client of the service, with an address of its own where that matters. */
export class Client {
  #base;
  #agent;
  #token;

  /**
   * @param {string} base such as `http://127.0.0.1:3000`
   * @param {object} [options]
   * @param {string} [options.token] access token
   * @param {boolean} [options.keepAlive] whether it reuses connections
   * @param {string} [options.address] a loopback address to send from, such as 127.0.0.2
   */
  constructor(base, { token, keepAlive = true, address = '127.0.0.1' } = {}) {
    this.#base = new URL(base);
    this.#token = token;
    this.#agent = new Agent({ keepAlive, localAddress: address, maxFreeSockets: 64 });
  }

  /**
   * @param {string} base
   * @param {{username: string, password: string}} account
   * @param {{address?: string, keepAlive?: boolean}} [options]
   * @returns {Promise<Client>} with the access token, and the User as `user`
   */
  static async logIn(base, account, options) {
    const { username, password } = account;
    const { status, body } = await new Client(base, options).send('POST', '/sessions', { username, password });
    if (status !== 201) throw new Error(`The login of ${username} got ${status}: ${JSON.stringify(body)}`);
    const client = new Client(base, { ...options, token: body.data.accessToken });
    client.user = body.data.user;
    client.token = body.data.accessToken;
    return client;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {object | Buffer} [body] bytes go as they are, anything else as JSON
   * @param {Record<string, string>} [headers]
   * @returns {Promise<Outcome>} never rejected
   */
  send(method, path, body, headers = {}) {
    const started = performance.now();
    const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    const all = {
      ...(this.#token && { Authorization: `Bearer ${this.#token}` }),
      ...(bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
      ...headers,
    };
    return new Promise((resolve) => {
      const end = (outcome) => resolve({ ...outcome, seconds: (performance.now() - started) / 1000 });
      const fail = (error) => end({ status: 0, error: error.code ?? error.message });
      const options = { method, headers: all, agent: this.#agent, timeout: PATIENCE_MS };
      const sent = request(new URL(path, this.#base), options, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk)).on('error', fail);
        response.on('end', () => end({ status: response.statusCode, body: parse(response, chunks) }));
      });
      sent.on('timeout', () => sent.destroy(new Error('no response'))).on('error', fail);
      sent.end(bytes);
    });
  }

  /** @param {string} path */
  get(path) {
    return this.send('GET', path);
  }
}

function parse(response, chunks) {
  if (!/json/.test(response.headers['content-type'] ?? '')) return undefined;
  return JSON.parse(Buffer.concat(chunks).toString());
}
