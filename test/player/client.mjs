import { Agent, request } from 'node:http';
import { checkResponse } from '../support/response-promises.mjs';
import { created } from './expect.mjs';

/** An id of the right form that no record has. */
export const UNKNOWN_ID = 'f0f0f0f0f0f0f0f0f0f0f0f0';

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

/**
 * @typedef {object} Response
 * @property {string} method
 * @property {string} path as sent
 * @property {number} status
 * @property {Record<string, string | undefined>} headers names in lower case, repeated ones joined with ", "
 * @property {Buffer} bytes
 * @property {string} text
 * @property {any} body parsed JSON, or undefined
 */

/** Sends requests with one access token or none, and checks every response. Not with fetch, which changes paths. */
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
   * @param {{body?: unknown, headers?: Record<string, string | null>, chunked?: boolean}} [options] text and bytes are
   *   sent as they are, other bodies as JSON; a header that is null is not sent
   * @returns {Promise<Response>}
   * @throws if there is no response, or if it breaks a promise that holds for every response
   */
  async send(method, path, { body, headers, chunked } = {}) {
    const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
    const response = await exchange(this.base, method, path, {
      payload: isRaw ? body : JSON.stringify(body),
      headers: {
        'user-agent': 'roster-player/1',
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      chunked,
    });
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

  /** @param {string} [password] @returns {Promise<Response>} the response to a login of this User */
  logIn(password = this.password) {
    return new Client(this.base).post('/sessions', { username: this.user.username, password });
  }

  /** @returns {Promise<Client>} the same User in another session */
  async newSession() {
    const session = created(await this.logIn());
    return new Client(this.base, { token: session.accessToken, user: session.user, password: this.password, session });
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

function exchange(base, method, path, { payload, headers, chunked }) {
  const { hostname, port, pathname } = new URL(base);
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== null));
  if (payload !== undefined && !chunked) sent['content-length'] = String(Buffer.byteLength(payload));
  const target = pathname.replace(/\/$/, '') + path;
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, agent, method, path: target, headers: sent, timeout: 60_000 });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no response within 60 s')));
    // After a response, this rejection has no effect.
    outgoing.on('error', (error) => reject(new Error(`${method} ${path}: ${error.message}`)));
    outgoing.on('response', (incoming) => resolve(read(method, path, incoming)));
    // Without Content-Length, end() with the whole body would add one.
    if (chunked) outgoing.write(payload);
    outgoing.end(chunked ? undefined : payload);
  });
}

async function read(method, path, incoming) {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const joined = Object.entries(incoming.headers).map(([name, value]) => [name, [value].flat().join(', ')]);
  const headers = Object.fromEntries(joined);
  const text = bytes.toString();
  const body = /\bjson\b/.test(headers['content-type'] ?? '') && text ? JSON.parse(text) : undefined;
  return { method, path, status: incoming.statusCode, headers, bytes, text, body };
}
