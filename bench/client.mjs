import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: false });

/** @typedef {{method: string, path: string, body?: string, token?: string, headers?: Record<string, string>}} Sent */

/**
 * Sends a request to a service on this machine.
 *
 * @param {Agent} [through] by default, each request has its own connection
 */
export function send(port, { method, path, body, token, headers }, through = agent) {
  return new Promise((resolve, reject) => {
    const all = {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
      ...headers,
    };
    const options = { host: '127.0.0.1', port, method, path, agent: through, timeout: 10_000, headers: all };
    const client = request(options, (response) => {
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
