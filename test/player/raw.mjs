import net from 'node:net';

/**
 * Sends bytes that no HTTP client would send, and reads until the service closes the connection.
 * @param {{host: string, port: number}} service
 * @param {string} bytes latin-1
 * @returns {Promise<{status: number, headers: Record<string, string>, text: string, body: any}>} the first response
 */
export function sendRaw({ host, port }, bytes) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, host);
    let text = '';
    socket.setTimeout(10_000, () => socket.destroy());
    socket.on('data', (chunk) => (text += chunk.toString('utf8')));
    socket.on('error', () => undefined);
    socket.on('close', () => (text ? resolve(parse(text)) : reject(new Error(`no response to ${bytes.slice(0, 60)}`))));
    socket.write(bytes, 'latin1');
  });
}

function parse(raw) {
  const [head, ...rest] = raw.split('\r\n\r\n');
  const [line, ...fields] = head.split('\r\n');
  const pairs = fields.map((field) => [field.split(':')[0].toLowerCase(), field.slice(field.indexOf(':') + 1).trim()]);
  const headers = Object.fromEntries(pairs);
  const text = rest.join('\r\n\r\n').slice(0, Number(headers['content-length'] ?? Infinity));
  const json = (headers['content-type'] ?? '').includes('json');
  return { status: Number(line.split(' ')[1]), headers, text, body: json ? JSON.parse(text) : undefined };
}
