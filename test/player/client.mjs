import { Agent } from 'node:http';
import { exchange } from '../support/exchange.mjs';
import { checkResponse } from '../support/response-promises.mjs';
import { created } from './expect.mjs';

const LETTERS = 'bcdfghjkmnpqrstvwxz';
const agent = new Agent({ keepAlive: true, maxSockets: 16 });
const prefix = Array.from({ length: 6 }, () => LETTERS[Math.floor(Math.random() * LETTERS.length)]).join('');
let words = 0;

/** @returns {string} a new word of lower-case letters: its own slug, and part of no other word */
export function newWord() {
  words += 1;
  return `${prefix}${[...String(words).padStart(4, '0')].map((digit) => LETTERS[Number(digit)]).join('')}y`;
}

/** @param {object} [fields] @returns {Record<string, any>} a valid body of POST /users */
export function userBody(fields) {
  const word = newWord();
  const password = `Pass ${word} 4!`;
  return { username: word, companyName: `Co ${word}`, email: `${word}@example.com`, password, ...fields };
}

/** @param {object} [fields] @returns {Record<string, any>} a valid body for an Organization or an API */
export const namedBody = (fields) => ({ name: newWord(), url: 'https://example.com/', ...fields });

/** @typedef {import('../support/exchange.mjs').Exchange & {method: string, path: string}} Response */

/** Sends requests with one access token or none, and checks every response. */
export class Client {
  /**
   * @param {string} base such as `http://127.0.0.1:3000`; a path in it is the BASE_PATH
   * @param {{token?: string, user?: any, password?: string, session?: any}} [login]
   */
  constructor(base, login = {}) {
    this.base = base.replace(/\/$/, '');
    Object.assign(this, login);
  }

  /** The id of the User. */
  get id() {
    return this.user._id;
  }

  get = (path, headers) => this.send('GET', path, { headers });
  post = (path, body, headers) => this.send('POST', path, { body, headers });
  put = (path, body, headers) => this.send('PUT', path, { body, headers });
  delete = (path, headers) => this.send('DELETE', path, { headers });

  /**
   * @param {string} method
   * @param {string} path sent byte for byte
   * @param {{body?: unknown, headers?: Record<string, string>}} [options] text and bytes are sent as they are, other
   *   bodies as JSON
   * @returns {Promise<Response>}
   * @throws if there is no response, or if it breaks a promise that holds for every response
   */
  async send(method, path, { body, headers } = {}) {
    const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
    const received = await exchange(this.base, method, path, {
      agent,
      payload: isRaw ? body : JSON.stringify(body),
      headers: {
        'user-agent': 'roster-player/1',
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    const response = { method, path, ...received };
    checkResponse(response);
    if (response.status === 500) throw new Error(`${method} ${path} ends with a 500`);
    return response;
  }

  /** @param {string} token @returns {Client} one with this access token */
  withToken(token) {
    return new Client(this.base, { token });
  }

  /** @param {string} refreshToken */
  refresh(refreshToken) {
    return this.post('/tokens', { refreshToken });
  }

  /** @returns {Promise<Client>} the same User in another session */
  async newSession() {
    const { base, password } = this;
    const credentials = { username: this.user.username, password };
    const session = created(await new Client(base).post('/sessions', credentials));
    return new Client(base, { token: session.accessToken, user: session.user, password, session });
  }

  /** @param {object} [fields] @returns {Promise<any>} a new Organization of this User, with its `etag` and `path` */
  async organization(fields) {
    return this.#create('/organizations', fields);
  }

  /** @param {{path: string}} organization @param {object} [fields] @returns {Promise<any>} a new API, likewise */
  async api(organization, fields) {
    return this.#create(`${organization.path}/apis`, fields);
  }

  async #create(path, fields) {
    const response = await this.post(path, namedBody(fields));
    const { etag, location } = response.headers;
    const own = location?.slice(new URL(this.base).pathname.replace(/\/$/, '').length);
    return Object.defineProperties(created(response), { etag: { value: etag }, path: { value: own } });
  }
}
