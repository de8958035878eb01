import { EventEmitter, once } from 'node:events';
import { connect, Socket } from 'node:net';
import { Service, useService } from './service';

export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
  json(): { status?: string; code?: number; message?: unknown; data?: Record<string, unknown> };
}

/** Only ends what hangs (ms). */
const PATIENCE_MS = 60_000;

/** A connection over which any bytes can be sent, for what no HTTP client would send. */
export class RawClient {
  /** Whether the server closed its side, and whether the whole connection is closed. */
  ended = false;
  closed = false;
  received = '';
  readonly socket: Socket;
  private readonly events = new EventEmitter();

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    this.socket.setNoDelay(true);
    this.socket.on('data', (chunk) => (this.received += chunk.toString('latin1')));
    this.socket.on('end', () => (this.ended = true));
    this.socket.on('close', () => (this.closed = true));
    this.socket.on('error', () => undefined);
    for (const name of ['data', 'end', 'close']) this.socket.on(name, () => this.events.emit('change'));
  }

  send(data: string | Buffer): this {
    this.socket.write(data);
    return this;
  }

  /** Waits for the next response; `head` says that the request was HEAD, whose response has no body. */
  async response({ head = false } = {}): Promise<RawResponse> {
    await this.until(() => this.parse(head) !== undefined || this.ended || this.closed);
    const found = this.parse(head);
    if (!found) throw new Error(`no response, but: ${JSON.stringify(this.received)}`);
    this.received = this.received.slice(found.length);
    return found.response;
  }

  /** Waits until this is true of what the connection has received. */
  async until(condition: () => boolean): Promise<void> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    while (!condition()) {
      await once(this.events, 'change', { signal }).catch(() => {
        throw new Error(`timed out; received ${JSON.stringify(this.received)}`);
      });
    }
  }

  close(): void {
    this.socket.destroy();
  }

  private parse(head: boolean): { response: RawResponse; length: number } | undefined {
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
    return { response: { status, headers, body, json: () => JSON.parse(body) as never }, length };
  }
}

export async function exchange(port: number, data: string | Buffer): Promise<RawResponse> {
  const client = new RawClient(port).send(data);
  try {
    return await client.response();
  } finally {
    client.close();
  }
}

type Headers = Readonly<Record<string, string>>;

/** The text of a request with a Host and the given headers. */
export function request(method: string, target: string, headers: Headers = {}, body = ''): string {
  const fields = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${fields.join('')}\r\n${body}`;
}

/** A service that listens, with requests of its first Admin. */
export interface RawService {
  readonly service: Service;
  readonly port: number;
  readonly asAdmin: typeof request;
}

/** Such a service while the tests of a file or a `describe` run. */
export function useRawService(env?: Record<string, string>): RawService {
  const service = useService(env);
  const asAdmin: typeof request = (method, target, headers, body) =>
    request(method, target, { Authorization: `Bearer ${service.admin.token}`, ...headers }, body);
  const raw = { service, port: 0, asAdmin };
  beforeAll(async () => void (raw.port = Number(new URL(await service.url()).port)));
  return raw;
}

/** Expects what every error carries (contract §2). */
export function expectRawError(response: RawResponse, status: number, code: number): void {
  expect({ status: response.status, code: response.json().code }).toEqual({ status, code });
  expect(Object.keys(response.json())).toEqual(['status', 'message', 'code']);
  expect(response.json().status).toBe('fail');
  expect(response.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-cache, no-transform',
    'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
}
