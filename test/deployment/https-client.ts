import { Agent, request } from 'node:https';
import type { IncomingHttpHeaders } from 'node:http';

/** Fields of a body that the tests read. */
export interface Body {
  readonly code?: number;
  readonly servers?: unknown;
  readonly name?: string;
  readonly data: { readonly _id: string; readonly accessToken: string };
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body, if it is JSON. */
  readonly body: Body;
}

const NO_BODY: Body = { data: { _id: '', accessToken: '' } };

/** A client that trusts one certificate. */
export class HttpsClient {
  private readonly agent: Agent;

  constructor(
    private readonly origin: string,
    private readonly ca: string,
    readonly token?: string,
  ) {
    this.agent = new Agent({ ca, keepAlive: false });
  }

  with(token: string): HttpsClient {
    return new HttpsClient(this.origin, this.ca, token);
  }

  get(path: string): Promise<Reply> {
    return this.send('GET', path);
  }

  post(path: string, body: object, headers = {}): Promise<Reply> {
    return this.send('POST', path, JSON.stringify(body), { 'Content-Type': 'application/json', ...headers });
  }

  /** @returns status 0 without a response */
  send(method: string, path: string, body: string | Buffer = '', headers = {}): Promise<Reply> {
    const authorization = this.token === undefined ? {} : { Authorization: `Bearer ${this.token}` };
    const options = { method, agent: this.agent, headers: { ...authorization, ...headers } };
    return new Promise((resolve) => {
      const fail = (): void => resolve({ status: 0, headers: {}, text: '', body: NO_BODY });
      const sent = request(new URL(path, this.origin), options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', fail);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = /json/.test(response.headers['content-type'] ?? '');
          const { statusCode: status = 0, headers: received } = response;
          resolve({ status, headers: received, text, body: isJson ? (JSON.parse(text) as Body) : NO_BODY });
        });
      });
      sent.on('error', fail).end(body);
    });
  }
}
