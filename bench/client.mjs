import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: false });

/**
 * @typedef {object} Sent
 * @property {string} method
 * @property {string} path
 * @property {string} [body]
 * @property {string} [token]
 * @property {Record<string, string>} [headers]
 */

/**
 * The headers of a request, the same for wrk and for this client.
 *
 * @param {Pick<Sent, 'token' | 'body'>} sent
 * @returns {Record<string, string>}
 */
export function headersOf({ token, body }) {
  return {
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  };
}

/**
 * Sends a request to a service on this machine.
 *
 * @param {number} port
 * @param {Sent} sent
 * @param {Agent} [through] by default, each request has its own connection
 * @returns {Promise<{status: number, headers: import('node:http').IncomingHttpHeaders, text: string}>}
 */
export function send(port, { method, path, body, token, headers }, through = agent) {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, agent: through, timeout: 10_000 };
    const sent = { ...headersOf({ token, body }), ...headers };
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const client = request({ ...options, headers: { ...sent, ...length } }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    client.on('timeout', () => client.destroy(new Error('no response in time')));
    client.on('error', reject);
    client.end(body);
  });
}
