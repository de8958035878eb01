import { connect, Socket } from 'node:net';

/** One answer as it came over the wire. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** The body, parsed as JSON. */
  json(): { status?: string; code?: number; message?: unknown; data?: Record<string, unknown> };
}

/** A connection that is spoken to in bytes, for what no HTTP client would send. */
export class RawClient {
  /** Whether the server closed its side, and the whole connection. */
  ended = false;
  closed = false;
  received = '';
  readonly socket: Socket;

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    this.socket.setNoDelay(true);
    this.socket.on('data', (chunk) => (this.received += chunk.toString('latin1')));
    this.socket.on('end', () => (this.ended = true));
    this.socket.on('close', () => (this.closed = true));
    this.socket.on('error', () => undefined);
  }

  send(data: string | Buffer): this {
    this.socket.write(data);
    return this;
  }

  /** Waits for the next answer; `head` says that the request was HEAD, whose answer has no body. */
  async answer({ head = false, timeout = 5000 } = {}): Promise<RawAnswer> {
    await this.until(() => this.parse(head) !== undefined || this.ended, timeout);
    const found = this.parse(head);
    if (!found) throw new Error(`no answer, but: ${JSON.stringify(this.received)}`);
    this.received = this.received.slice(found.length);
    return found.answer;
  }

  async until(condition: () => boolean, timeout = 5000): Promise<void> {
    const end = Date.now() + timeout;
    while (!condition()) {
      if (Date.now() > end) throw new Error(`timed out; received ${JSON.stringify(this.received)}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  close(): void {
    this.socket.destroy();
  }

  private parse(head: boolean): { answer: RawAnswer; length: number } | undefined {
    const split = this.received.indexOf('\r\n\r\n');
    if (split === -1) return undefined;
    const [line, ...fields] = this.received.slice(0, split).split('\r\n');
    const headers: Record<string, string> = {};
    for (const field of fields) {
      const colon = field.indexOf(': ');
      headers[field.slice(0, colon).toLowerCase()] = field.slice(colon + 2);
    }
    const status = Number(line!.split(' ')[1]);
    const bodyLength = head || status === 204 || status < 200 ? 0 : Number(headers['content-length'] ?? 0);
    const length = split + 4 + bodyLength;
    if (this.received.length < length) return undefined;
    const body = this.received.slice(split + 4, length);
    return { answer: { status, headers, body, json: () => JSON.parse(body) as never }, length };
  }
}

/** Sends one request on its own connection and gives the answer. */
export async function exchange(port: number, data: string | Buffer): Promise<RawAnswer> {
  const client = new RawClient(port).send(data);
  try {
    return await client.answer();
  } finally {
    client.close();
  }
}

/** The text of a request with a Host, credentials and whatever else is given. */
export function request(method: string, target: string, headers: Record<string, string> = {}, body = ''): string {
  const all: Record<string, string> = { Host: 'localhost', Authorization: 'Bearer x', ...headers };
  const fields = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${fields.join('')}\r\n${body}`;
}

/** Asserts what every failure carries (contract §2). */
export function expectFailure(answer: RawAnswer, status: number, code: number): void {
  expect({ status: answer.status, code: answer.json().code }).toEqual({ status, code });
  expect(Object.keys(answer.json())).toEqual(['status', 'message', 'code']);
  expect(answer.json().status).toBe('fail');
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
}
