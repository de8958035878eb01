import { Agent } from 'node:https';
import { type Exchange, exchange } from '../support/exchange.mjs';

/** Without a response, only a status of 0. */
type Reply = Pick<Exchange, 'status' | 'headers' | 'text' | 'body'>;

const NO_REPLY: Reply = { status: 0, headers: {}, text: '', body: { data: {} } };

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

  send(method: string, path: string, payload?: string | Buffer, headers = {}): Promise<Reply> {
    const authorization = this.token === undefined ? {} : { Authorization: `Bearer ${this.token}` };
    const options = { agent: this.agent, payload, headers: { ...authorization, ...headers } };
    return exchange(this.origin, method, path, options).catch(() => NO_REPLY);
  }
}
