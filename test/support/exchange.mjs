import * as http from 'node:http';
import * as https from 'node:https';

/**
 * @typedef {object} Exchange
 * @property {number} status
 * @property {Record<string, string | undefined>} headers names in lower case, repeated ones joined with ", "
 * @property {Buffer} bytes
 * @property {string} text
 * @property {any} body parsed JSON, or undefined
 */

/**
 * Sends a request and reads its response. Not with fetch, which changes paths.
 *
 * @param {string} base such as `http://127.0.0.1:3000`; a path in it is the BASE_PATH
 * @param {string} method
 * @param {string} path sent byte for byte
 * @param {{payload?: string | Buffer, headers?: object, agent?: http.Agent, timeout?: number}} [options]
 * @returns {Promise<Exchange>}
 */
export function exchange(base, method, path, { payload, headers = {}, agent, timeout = 60_000 } = {}) {
  const { protocol, hostname, port, pathname } = new URL(base);
  const { request } = protocol === 'https:' ? https : http;
  const sent = payload === undefined ? headers : { ...headers, 'content-length': String(Buffer.byteLength(payload)) };
  const target = pathname.replace(/\/$/, '') + path;
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, agent, method, path: target, headers: sent, timeout });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no response within ${timeout / 1000} s`)));
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
