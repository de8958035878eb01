/** @typedef {{method: string, path: string, body?: string, token?: string, headers?: Record<string, string>}} Sent */

/** Sends a request to a service on this machine. Requests that come one after another share a connection. @param {Sent} sent */
export async function send(port, { method, path, body, token, headers }) {
  const all = {
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...headers,
  };
  const signal = AbortSignal.timeout(10_000);
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, body, headers: all, signal });
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
}
