import http from 'node:http';
import { judge } from './rules.mjs';

/**
 * @typedef {object} Answer
 * @property {string} method
 * @property {string} path as sent
 * @property {string} route the path without base path and query
 * @property {number} status
 * @property {Record<string, string | undefined>} headers names in lower case, repeated ones joined with ", "
 * @property {string[]} rawHeaders
 * @property {Buffer} bytes
 * @property {string} text
 * @property {any} body parsed JSON, or undefined
 *
 * @typedef {object} Ask
 * @property {unknown} [body] text and bytes go as they are, anything else as JSON
 * @property {Record<string, string | null>} [headers] null takes a default header away
 * @property {string} [token] bearer token
 * @property {boolean} [chunked] send the body without Content-Length
 */

/** A small HTTP client that judges every answer by contract §2. Uses node:http, as fetch hides raw headers and paths. */
export class Client {
  /** @type {Answer | undefined} the latest answer, for the report of a failed scene */
  last;
  /** How many requests were sent. */
  count = 0;

  /** @param {string} base such as `http://127.0.0.1:3000`; a path in it is taken as BASE_PATH */
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
   * @param {Ask} [ask]
   * @returns {Promise<Answer>}
   * @throws when no answer comes, or when it breaks a general promise
   */
  async request(method, path, ask = {}) {
    this.count += 1;
    const answer = await this.#send(method, path, ask);
    this.last = answer;
    judge(answer);
    return answer;
  }

  /** Closes idle connections. */
  close() {
    this.agent.destroy();
  }

  #send(method, path, ask) {
    const payload = payloadOf(ask.body);
    const headers = headersOf(ask, payload);
    const options = {
      host: this.host,
      port: this.port,
      agent: this.agent,
      method,
      path: this.basePath + path,
      headers,
    };
    return new Promise((resolve, reject) => {
      const request = http.request({ ...options, timeout: 60_000 });
      let answered = false;
      request.on('timeout', () => request.destroy(new Error(`no answer within 60 s: ${method} ${path}`)));
      request.on('error', (error) => answered || reject(new Error(`${method} ${path}: ${error.message}`)));
      request.on('response', (response) => {
        answered = true;
        readAll(response).then((bytes) => resolve(answerOf(method, path, response, bytes)), reject);
      });
      if (payload && ask.chunked) request.write(payload);
      else if (payload) return void request.end(payload);
      request.end();
    });
  }
}

/** Somebody who calls: a client with a bearer token, and for people who they are. */
export class Caller {
  /**
   * @param {Client} client
   * @param {string} [token] bearer token; none for an anonymous caller
   * @param {{user?: any, password?: string, session?: any}} [who]
   */
  constructor(client, token, who = {}) {
    this.client = client;
    this.token = token;
    this.user = who.user;
    this.password = who.password;
    this.session = who.session;
  }

  /** The id of the calling user. */
  get id() {
    return this.user._id;
  }

  /** @param {string} path @param {Record<string, string>} [headers] */
  get(path, headers) {
    return this.ask('GET', path, { headers });
  }

  /** @param {string} path @param {unknown} [body] @param {Record<string, string | null>} [headers] */
  post(path, body, headers) {
    return this.ask('POST', path, { body, headers });
  }

  /** @param {string} path @param {unknown} [body] @param {Record<string, string | null>} [headers] */
  put(path, body, headers) {
    return this.ask('PUT', path, { body, headers });
  }

  /** @param {string} path @param {Record<string, string>} [headers] */
  delete(path, headers) {
    return this.ask('DELETE', path, { headers });
  }

  /** @param {string} method @param {string} path @param {Ask} [ask] */
  ask(method, path, ask = {}) {
    return this.client.request(method, path, { token: this.token, ...ask });
  }
}

function payloadOf(body) {
  if (body === undefined) return undefined;
  if (typeof body === 'string' || Buffer.isBuffer(body)) return Buffer.from(body);
  return Buffer.from(JSON.stringify(body));
}

function headersOf(ask, payload) {
  const headers = { 'user-agent': 'roster-player/1' };
  if (ask.token !== undefined) headers.authorization = `Bearer ${ask.token}`;
  if (payload) headers['content-type'] = 'application/json';
  if (payload && !ask.chunked) headers['content-length'] = String(payload.length);
  for (const [name, value] of Object.entries(ask.headers ?? {})) {
    if (value === null) delete headers[name.toLowerCase()];
    else headers[name.toLowerCase()] = value;
  }
  return headers;
}

function answerOf(method, path, response, bytes) {
  const headers = {};
  for (const [name, value] of Object.entries(response.headers)) headers[name] = [value].flat().join(', ');
  const text = bytes.toString('utf8');
  const route = path.split('?')[0];
  const answer = { method, path, route, status: response.statusCode, headers, rawHeaders: response.rawHeaders };
  return { ...answer, bytes, text, body: parsed(headers['content-type'], text) };
}

function parsed(type, text) {
  if (!/\bjson\b/.test(type ?? '') || text === '') return undefined;
  return JSON.parse(text);
}

async function readAll(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
