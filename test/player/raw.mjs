import net from 'node:net';

/**
 * Sends bytes that no HTTP client would send, and reads what comes back until the service closes the connection.
 * @param {{host: string, port: number}} service
 * @param {string} bytes latin-1
 * @returns {Promise<{status: number, headers: Record<string, string>, text: string, body: any}>} the first answer
 */
export function sendRaw(service, bytes) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(service.port, service.host);
    let text = '';
    const done = () => (text ? resolve(parse(text)) : reject(new Error(`no answer to ${bytes.slice(0, 60)}`)));
    socket.setTimeout(10_000, () => socket.destroy());
    socket.on('data', (chunk) => (text += chunk.toString('utf8')));
    socket.on('error', () => undefined);
    socket.on('close', done);
    socket.write(bytes, 'latin1');
  });
}

function parse(text) {
  const [head, ...rest] = text.split('\r\n\r\n');
  const [line, ...fields] = head.split('\r\n');
  const headers = {};
  for (const field of fields) headers[field.split(':')[0].toLowerCase()] = field.slice(field.indexOf(':') + 1).trim();
  const content = rest.join('\r\n\r\n').slice(0, Number(headers['content-length'] ?? Infinity));
  return { status: Number(line.split(' ')[1]), headers, text: content, body: jsonOf(content) };
}

function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
