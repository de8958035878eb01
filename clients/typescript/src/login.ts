import { parse, RosterError } from './error.ts';
import type { components } from './schema.ts';

/** What a program keeps to stay logged in. */
export interface Login {
  sessionId: string;
  accessToken: string;
  refreshToken: string;
}

/** The access token has expired; a login or refresh token that is wrong has another code. */
const TOKEN_UNUSABLE = 1101;

type Fetch = (request: Request) => Promise<Response>;

/** Sends requests with the access token. When the service no longer accepts it, gets a new one and sends them again. */
export class AuthorizedFetch {
  readonly #baseUrl: string;
  readonly #fetch: Fetch;
  readonly #onChange: (login: Login | undefined) => void;
  #login: Login | undefined;
  readonly #refreshing = new WeakMap<Login, Promise<void>>();

  constructor(baseUrl: string, login: Login | undefined, fetch: Fetch, onChange: (login: Login | undefined) => void) {
    this.#baseUrl = baseUrl;
    this.#login = login;
    this.#fetch = fetch;
    this.#onChange = onChange;
  }

  get login(): Login | undefined {
    return this.#login;
  }

  set login(login: Login | undefined) {
    this.#login = login;
    this.#onChange(login);
  }

  readonly send: Fetch = async (request) => {
    const login = this.#login;
    if (!login) return this.#fetch(request);
    const again = request.clone();
    const response = await this.#fetch(withToken(request, login));
    if (!(await isTokenUnusable(response))) return response;
    // Another request may have refreshed the login meanwhile.
    if (this.#login === login) await this.#refreshOnce(login);
    // Never send it as another account that has logged in meanwhile.
    const isSameSession = this.#login?.sessionId === login.sessionId;
    return this.#login && isSameSession ? this.#fetch(withToken(again, this.#login)) : response;
  };

  /** A refresh token can be used once, so requests share one refresh. */
  #refreshOnce(login: Login): Promise<void> {
    const refreshing =
      this.#refreshing.get(login) ?? this.#refresh(login).finally(() => this.#refreshing.delete(login));
    this.#refreshing.set(login, refreshing);
    return refreshing;
  }

  async #refresh(login: Login): Promise<void> {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ refreshToken: login.refreshToken });
    const response = await this.#fetch(new Request(`${this.#baseUrl}/tokens`, { method: 'POST', headers, body }));
    const text = await response.text();
    if (this.#login !== login) return; // logged out or logged in meanwhile
    const data = parse(text).data as components['schemas']['TokensResult']['data'] | undefined;
    if (!response.ok || !data) {
      if (response.status === 401) this.login = undefined;
      throw new RosterError(response, text);
    }
    this.login = { sessionId: login.sessionId, accessToken: data.accessToken, refreshToken: data.refreshToken };
  }
}

function withToken(request: Request, { accessToken }: Login): Request {
  request.headers.set('Authorization', `Bearer ${accessToken}`);
  return request;
}

async function isTokenUnusable(response: Response): Promise<boolean> {
  if (response.status !== 401) return false;
  return new RosterError(response, await response.clone().text()).code === TOKEN_UNUSABLE;
}
