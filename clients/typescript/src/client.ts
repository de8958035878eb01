import createClient, { type Client } from 'openapi-fetch';
import type { Arguments, Calls, Init, Item, ListPath, Method, Read, Result, Schemas, Write } from './calls.ts';
import { type Collection, collectionsOf, type Consumers, consumersOf, type NewApi } from './collection.ts';
import { RosterError } from './error.ts';
import { AuthorizedFetch, type Login } from './login.ts';
import { withRetries } from './retry.ts';
import type { paths } from './schema.ts';

export interface Options {
  /** Where Roster is, with its `BASE_PATH`: `https://example.com/roster`. */
  baseUrl: string;
  /** An API key, `roster_…`, or an access token of the identity provider: a client with one needs no login. */
  key?: string | undefined;
  /** A login that was kept, to go on without logging in. */
  login?: Login | undefined;
  /** Called after each login, refresh and logout, with what to keep. */
  onLogin?: ((login: Login | undefined) => void) | undefined;
  /** How often a request is sent again after 429 and 503, when `Retry-After` says; 2 by default. */
  retries?: number | undefined;
  /** Sends the requests, instead of the global `fetch`. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/** The identity has an account. */
const REGISTERED = 1513;

/** What openapi-fetch returns. */
interface Outcome {
  data?: { status?: unknown; data?: unknown };
  error?: unknown;
  response: Response;
}

/**
 * A client for one account. All calls throw a {@link RosterError} if the response is an error, and a TypeError if `put` has
 * no `If-Match`, or `delete` has one that is not defined.
 */
export class RosterClient implements Calls {
  readonly #api: Client<paths>;
  readonly #authorized: AuthorizedFetch;

  readonly get: Read = (path, ...init) => this.#call('get', path, init);
  readonly post: Write<'post'> = (path, ...init) => this.#call('post', path, init);
  readonly put: Write<'put'> = (path, ...init) => this.#call('put', path, init);
  readonly delete: Write<'delete'> = (path, ...init) => this.#call('delete', path, init);

  readonly organizations: Collection<Schemas['OrganizationInput'], Schemas['Organization']>;
  readonly apis: Collection<NewApi, Schemas['Api']>;
  readonly users: Collection<Schemas['CreateUserInput'], Schemas['User']>;

  constructor({
    baseUrl,
    key,
    login,
    onLogin = () => undefined,
    retries = 2,
    fetch = (one) => globalThis.fetch(one),
  }: Options) {
    const base = baseUrl.replace(/\/+$/, '');
    this.#authorized = new AuthorizedFetch(base, login, withRetries(fetch, retries), onLogin);
    const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` };
    this.#api = createClient<paths>({ baseUrl: base, headers, fetch: this.#authorized.send });
    ({ organizations: this.organizations, apis: this.apis, users: this.users } = collectionsOf(this));
  }

  /** The Consumers of the API with this id. */
  consumersOf(apiId: string): Consumers {
    return consumersOf(this, apiId);
  }

  /** What to keep to go on later without logging in; `undefined` without a login. */
  get login(): Login | undefined {
    return this.#authorized.login;
  }

  /** Logs in. From now on all requests are sent with its access token, which is refreshed when it has expired. */
  async logIn(credentials: Schemas['LoginInput']): Promise<Schemas['CreatedSession']> {
    const { data } = await this.post('/sessions', { body: credentials });
    const { _id: sessionId, accessToken, refreshToken } = data;
    this.#authorized.login = { sessionId, accessToken, refreshToken };
    return data;
  }

  /**
   * Creates your account, if you have none: with an access token of the identity provider as `key`, where the service has
   * `OIDC_CREATE_USERS=on`.
   */
  async register(): Promise<Schemas['User']> {
    try {
      const { data } = await this.#call('post', '/users', []);
      return data;
    } catch (error) {
      if (!(error instanceof RosterError) || error.code !== REGISTERED) throw error;
      return (await this.get('/users/{id}', { params: { path: { id: 'me' } } })).data;
    }
  }

  /** Ends the session, if it has not ended already. */
  async logOut(): Promise<void> {
    const { login } = this;
    if (!login) return;
    try {
      await this.delete('/sessions/{id}', { params: { path: { id: login.sessionId } } });
    } catch (error) {
      if (!(error instanceof RosterError) || ![401, 404].includes(error.status)) throw error;
    }
    if (this.login?.sessionId === login.sessionId) this.#authorized.login = undefined;
  }

  /** Uploads an image. */
  async upload(image: Blob, fileName: string): Promise<Result<Schemas['UploadedFile'], string>> {
    const form = new FormData();
    form.set('file', image, fileName);
    return this.post('/files', { body: { file: '' }, bodySerializer: () => form });
  }

  /** All records of a list, page by page. */
  async *list<P extends ListPath>(path: P, ...init: Arguments<Init<P, 'get'>>): AsyncGenerator<Item<P>, void> {
    for await (const page of this.pages(path, ...init)) yield* page;
  }

  /** The pages of a list, as the `Link` header names them. `limit` is the size of a page. */
  async *pages<P extends ListPath>(path: P, ...init: Arguments<Init<P, 'get'>>): AsyncGenerator<Item<P>[], void> {
    let options = (init[0] ?? {}) as { params?: object };
    for (;;) {
      const { data, response } = await this.#call('get', path, [options]);
      yield data as Item<P>[];
      const next = /<([^>]*)>;\s*rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
      if (!next) return;
      const query = Object.fromEntries(new URLSearchParams(next.split('?')[1]));
      options = { ...options, params: { ...options.params, query } };
    }
  }

  async #call(method: Method, path: string, [init]: unknown[]): Promise<Result<never, never>> {
    requireEtag(method, path, init);
    const request = this.#api.request as (...all: unknown[]) => Promise<Outcome>;
    const { data, error, response } = await request(method, path, init);
    if (!response.ok) throw new RosterError(response, JSON.stringify(error ?? null));
    const record = data?.status === 'success' && 'data' in data ? data.data : data;
    return { data: record as never, etag: (response.headers.get('ETag') ?? undefined) as never, response };
  }
}

/** An ETag that got lost, say in a proxy, must not become a write that overwrites what others wrote. */
function requireEtag(method: Method, path: string, init: unknown): void {
  const { header = {} } = (init as { params?: { header?: Record<string, unknown> } } | undefined)?.params ?? {};
  if ((method === 'put' || 'If-Match' in header) && !header['If-Match'])
    throw new TypeError(
      `${method.toUpperCase()} ${path}: If-Match is missing. Send the ETag of the record, or * to overwrite any version.`,
    );
}
