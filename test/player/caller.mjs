import { created } from './expect.mjs';

const LETTERS = 'bcdfghjkmnpqrstvwxz';
const letter = () => LETTERS[Math.floor(Math.random() * LETTERS.length)];
const run = Array.from({ length: 6 }, letter).join('');
let number = 0;

/** An id that no record has, of the right form. */
export const NOTHING = 'f0f0f0f0f0f0f0f0f0f0f0f0';

/** @returns {string} a new word of lower-case letters: its own slug, and part of no other word */
export function fresh() {
  number += 1;
  const digits = [...String(number).padStart(3, '0')].map((digit) => LETTERS[Number(digit)]);
  return `${run}${digits.join('')}y`;
}

/** @param {object} [fields] @returns {Record<string, any>} a valid body of POST /users */
export function userFields(fields = {}) {
  const word = fresh();
  const password = `Pass ${word} 4!`;
  return { username: word, companyName: `Co ${word}`, email: `${word}@example.com`, password, ...fields };
}

/** @param {object} [fields] @returns {Record<string, any>} a valid body for an Organization or an API */
export const namedFields = (fields = {}) => ({ name: fresh(), url: 'https://example.com/', ...fields });

/** Sends requests with one access token, or none. */
export class Caller {
  /**
   * @param {import('./client.mjs').Client} client
   * @param {string} [token] access token; none for an anonymous caller
   * @param {{user?: any, password?: string, session?: any}} [who]
   */
  constructor(client, token, who = {}) {
    this.client = client;
    this.token = token;
    Object.assign(this, who);
  }

  /** The id of the User. */
  get id() {
    return this.user._id;
  }

  /** @param {string} path @param {Record<string, string>} [headers] */
  get(path, headers) {
    return this.send('GET', path, { headers });
  }

  /** @param {string} path @param {unknown} [body] @param {Record<string, string | null>} [headers] */
  post(path, body, headers) {
    return this.send('POST', path, { body, headers });
  }

  /** @param {string} path @param {unknown} [body] @param {Record<string, string | null>} [headers] */
  put(path, body, headers) {
    return this.send('PUT', path, { body, headers });
  }

  /** @param {string} path @param {Record<string, string>} [headers] */
  delete(path, headers) {
    return this.send('DELETE', path, { headers });
  }

  /** @param {string} method @param {string} path @param {import('./client.mjs').Options} [options] */
  send(method, path, options = {}) {
    return this.client.request(method, path, { token: this.token, ...options });
  }

  /** @param {string} token @returns {Caller} a caller with this access token */
  as(token) {
    return new Caller(this.client, token);
  }

  /** @param {string} refreshToken */
  refresh(refreshToken) {
    return this.post('/tokens', { refreshToken });
  }

  /** @param {string} [password] @returns the response to a login of this User */
  logIn(password = this.password) {
    return this.as(undefined).post('/sessions', { username: this.user.username, password });
  }

  /** @returns {Promise<Caller>} the same User in another session */
  async again() {
    const session = created(await this.logIn());
    return new Caller(this.client, session.accessToken, { user: session.user, password: this.password, session });
  }

  /** @param {object} [fields] @returns {Promise<any>} a new Organization of this User, with its `etag` and `path` */
  async organization(fields) {
    return this.#made(await this.post('/organizations', namedFields(fields)));
  }

  /**
   * @param {{path: string}} organization that this User manages
   * @param {object} [fields]
   * @returns {Promise<any>} a new API with its `etag` and `path`
   */
  async api(organization, fields) {
    return this.#made(await this.post(`${organization.path}/apis`, namedFields(fields)));
  }

  #made(response) {
    const path = response.headers.location?.slice(this.client.basePath.length);
    return Object.defineProperties(created(response), {
      etag: { value: response.headers.etag },
      path: { value: path },
    });
  }
}
