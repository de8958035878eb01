import { Caller } from './client.mjs';
import { created } from './expect.mjs';

const LETTERS = 'bcdfghjkmnpqrstvwxz';
const random = (length) => Array.from({ length }, () => LETTERS[Math.floor(Math.random() * LETTERS.length)]).join('');

/** What all scenes share: the service, its Admin, a few people, and names that nobody used before. */
export class World {
  #run = random(6);
  #number = 0;
  #people = new Map();

  /**
   * @param {import('./client.mjs').Client} client
   * @param {Record<string, string | undefined>} options command line: `admin`, `password`, `cors-origin`, limits
   */
  constructor(client, options) {
    this.client = client;
    this.options = options;
    this.anyone = new Caller(client);
  }

  /** Logs the Admin in. */
  async open() {
    this.admin = await this.login(this.options.admin, this.options.password);
    return this;
  }

  /** @returns {string} a fresh word of lower-case letters: its own slug, part of no other one */
  word() {
    this.#number += 1;
    const digits = [...String(this.#number).padStart(3, '0')].map((digit) => LETTERS[Number(digit)]);
    return `${this.#run}${digits.join('')}y`;
  }

  /** @param {string} username @param {string} password @returns {Promise<Caller>} */
  async login(username, password) {
    const session = created(await this.anyone.post('/sessions', { username, password }));
    return new Caller(this.client, session.accessToken, { user: session.user, password, session });
  }

  /** @param {Record<string, unknown>} [fields] @returns {Record<string, any>} a good POST /users body */
  userFields(fields = {}) {
    const word = this.word();
    const password = `Pass ${word} 4!`;
    return { username: word, companyName: `Co ${word}`, email: `${word}@example.com`, password, ...fields };
  }

  /** @param {Record<string, unknown>} [fields] @returns {Promise<Caller>} a new user, logged in */
  async newcomer(fields) {
    const wanted = this.userFields(fields);
    created(await this.admin.post('/users', wanted));
    return this.login(wanted.username, wanted.password);
  }

  /**
   * @param {string} name a role in the play, such as `alice`; the same name gives the same person
   * @returns {Promise<Caller>}
   */
  person(name) {
    if (!this.#people.has(name)) this.#people.set(name, this.newcomer());
    return this.#people.get(name);
  }

  /** @param {Record<string, unknown>} [fields] @returns {Record<string, any>} a good POST /organizations body */
  organizationFields(fields = {}) {
    return { name: this.word(), url: 'https://example.com/', ...fields };
  }

  /**
   * @param {Caller} caller who becomes its first manager
   * @param {Record<string, unknown>} [fields]
   * @returns {Promise<any>} the new Organization with its `etag` and `path`
   */
  async organization(caller, fields) {
    return this.#made(await caller.post('/organizations', this.organizationFields(fields)));
  }

  /**
   * @param {Caller} caller a manager of the Organization
   * @param {{path: string}} organization
   * @param {Record<string, unknown>} [fields]
   * @returns {Promise<any>} the new Api with its `etag` and `path`
   */
  async api(caller, organization, fields) {
    return this.#made(await caller.post(`${organization.path}/apis`, this.organizationFields(fields)));
  }

  #made(answer) {
    const record = created(answer);
    const path = answer.headers.location.slice(this.client.basePath.length);
    return Object.defineProperties(record, { etag: { value: answer.headers.etag }, path: { value: path } });
  }
}

/** An id that no record has, of the right form. */
export const NOBODY = 'f0f0f0f0f0f0f0f0f0f0f0f0';
