import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SessionDto } from '../../src/registry/sessions/session.dto';
import { UserDto } from '../../src/registry/users/user.dto';
import { ResponseCheck } from './response-check';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'OPTIONS';

/** Headers of a request; one that is undefined is not sent, not even where it is sent by default. */
export type Headers = Record<string, string | undefined>;

/** A request as a test writes it. */
export interface ClientRequest {
  method: Method;
  /** The path, with the query string. */
  path: string;
  headers?: Headers;
  /** Text and bytes are sent as they are, anything else as JSON; undefined for no body. */
  payload?: unknown;
  /** Address of the client; 127.0.0.1 by default. */
  remoteAddress?: string;
}

/** A response, parsed. */
export interface ApiResponse {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string | undefined>;
  /** The parsed body where it is JSON; undefined otherwise. Tests assert on it, so it needs no type. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
  text: string;
  bytes: Buffer;
}

/** Login of a client. */
export interface Login {
  user: Required<UserDto>;
  password: string;
  session: SessionDto;
  token: string;
  refreshToken?: string;
}

/** Sends requests to a service in process, as one person or as nobody. Each response is checked (response-check.ts). */
export class Client {
  // Undefined for nobody.
  readonly user = this.login?.user as Required<UserDto>;
  readonly id = this.login?.user._id as string;
  readonly password = this.login?.password as string;
  readonly session = this.login?.session as SessionDto;
  /** The access token. */
  readonly token = this.login?.token as string;
  /** Only after a login over the API (`service.registered`, `service.logIn`). */
  readonly refreshToken = this.login?.refreshToken as string;

  constructor(
    private readonly app: NestFastifyApplication,
    private readonly check: ResponseCheck,
    private readonly login?: Login,
  ) {}

  /** The same person with another credential: an API key. */
  with(token: string): Client {
    return new Client(this.app, this.check, { ...this.login!, token });
  }

  /** The body of a PUT that changes the User in these fields only. */
  userBody(changes: object = {}): object {
    const { username, companyName, email } = this.user;
    return { username, companyName, email, ...changes };
  }

  get(path: string, headers?: Headers): Promise<ApiResponse> {
    return this.send({ method: 'GET', path, headers });
  }

  post(path: string, payload?: unknown, headers?: Headers): Promise<ApiResponse> {
    return this.send({ method: 'POST', path, payload, headers });
  }

  put(path: string, payload?: unknown, headers?: Headers): Promise<ApiResponse> {
    return this.send({ method: 'PUT', path, payload, headers });
  }

  delete(path: string, headers?: Headers): Promise<ApiResponse> {
    return this.send({ method: 'DELETE', path, headers });
  }

  /** @throws Error when the response breaks a promise that every response keeps */
  async send(request: ClientRequest): Promise<ApiResponse> {
    const { method, path, remoteAddress } = request;
    const payload = encoded(request.payload);
    const given = { authorization: this.login && `Bearer ${this.login.token}`, ...request.headers };
    const headers = payload === undefined ? given : { 'content-type': 'application/json', ...given };
    this.check.sent(request);
    const raw = await this.app.inject({ method, url: path, headers: present(headers), payload, remoteAddress });
    const response: ApiResponse = {
      status: raw.statusCode,
      headers: raw.headers as ApiResponse['headers'],
      body: isJson(raw.headers['content-type']) && raw.payload !== '' ? JSON.parse(raw.payload) : undefined,
      text: raw.payload,
      bytes: raw.rawPayload,
    };
    this.check.received(request, response);
    return response;
  }
}

function encoded(payload: unknown): string | Buffer | undefined {
  if (payload === undefined || typeof payload === 'string' || Buffer.isBuffer(payload)) return payload;
  return JSON.stringify(payload);
}

function present(headers: Headers): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Record<string, string>;
}

function isJson(contentType: unknown): boolean {
  return typeof contentType === 'string' && /^application\/json(?:;|$)/.test(contentType);
}
