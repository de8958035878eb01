import * as http from 'node:http';
import * as https from 'node:https';
import { exchange } from './exchange.mjs';

/** Time limit of a response (ms). */
const PATIENCE_MS = 40_000;

/**
 * Without a response, `status` is 0 and `error` says why.
 *
 * @typedef {Partial<import('./exchange.mjs').Exchange> &
 *   {status: number, seconds: number, error?: string}} Outcome
 */

/** A client of the service, with an address of its own where that matters. */
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
    const options = { agent: this.#agent, payload, headers: all, timeout: PATIENCE_MS };
    const outcome = await exchange(this.#base, method, path, options).catch((error) => ({
      status: 0,
      error: error.code ?? error.message,
    }));
    return { ...outcome, seconds: (performance.now() - started) / 1000 };
  }

  /** @param {string} path */
  get(path) {
    return this.send('GET', path);
  }
}
