/** The example of the client package (../typescript/examples/sync.ts), with the client of @hey-api/openapi-ts. */
import type { Entry } from '../typescript/examples/csv.ts';
import { createClient, type Client } from './dist/client/index.ts';
import {
  createOrganization,
  createOrganizationApi,
  createSession,
  createToken,
  getOrganization,
  listOrganizationApis,
  listOrganizations,
  updateOrganization,
  type Api,
  type LoginInput,
  type Organization,
  type Error as RosterError,
  type ValidationError,
} from './dist/index.ts';

type Failure = RosterError | ValidationError;
type Fetch = (request: Request) => Promise<Response>;

/** Error codes of the contract. */
const NAME_TAKEN = 1501;
const CHANGED = 1600;

export class HeyApiSync {
  readonly summary = { created: 0, updated: 0, unchanged: 0, rejected: [] as string[] };
  readonly #client: Client;
  readonly #limit: number;
  #tokens = { accessToken: '', refreshToken: '' };

  constructor(baseUrl: string, limit: number, fetch: Fetch) {
    this.#client = createClient({
      baseUrl,
      auth: () => this.#tokens.accessToken,
      fetch: ((request: Request) => this.#send(request, fetch)) as typeof globalThis.fetch,
    });
    this.#limit = limit;
  }

  async logIn(body: LoginInput): Promise<void> {
    const { data } = await createSession({ client: this.#client, body, throwOnError: true });
    this.#tokens = data.data;
  }

  async run(entries: readonly Entry[]): Promise<void> {
    const known = new Map<string, Organization>();
    for await (const one of this.#organizations()) known.set(keyOf(one), one);
    for (const { apis, ...wanted } of entries) {
      const id = await this.#saveOrganization(known.get(keyOf(wanted)), wanted);
      if (id) await this.#saveApis(id, apis);
    }
  }

  /** Page by page, with `after`. */
  async *#organizations(q?: string): AsyncGenerator<Organization, void> {
    for (let after: string | undefined; ;) {
      const query = { limit: this.#limit, ...(q ? { q } : {}), ...(after ? { after } : {}) };
      const { data } = await listOrganizations({ client: this.#client, query, throwOnError: true });
      yield* data.data;
      if (data.data.length < this.#limit) return;
      after = data.data.at(-1)?._id;
    }
  }

  /** @returns the id, or `undefined` if a field is not valid */
  async #saveOrganization(known: Organization | undefined, wanted: Omit<Entry, 'apis'>): Promise<string | undefined> {
    if (known) return this.#updateOrganization(known, wanted);
    const { data, error } = await createOrganization({ client: this.#client, body: wanted });
    if (data) return this.#created(data.data);
    if (error.code === NAME_TAKEN) {
      for await (const one of this.#organizations(wanted.name))
        if (keyOf(one) === keyOf(wanted)) return this.#updateOrganization(one, wanted);
    }
    return this.#reject(wanted.name, error);
  }

  async #updateOrganization(listed: Organization, wanted: Omit<Entry, 'apis'>): Promise<string | undefined> {
    const path = { id: listed._id };
    if (isUpToDate(listed, wanted)) return this.#unchanged(listed);
    for (;;) {
      const { data: record, response } = await getOrganization({ client: this.#client, path, throwOnError: true });
      const headers = { 'If-Match': response.headers.get('ETag') ?? '' };
      const body = { ...record, ...wanted };
      const { error } = await updateOrganization({ client: this.#client, path, headers, body });
      if (!error) {
        this.summary.updated++;
        return listed._id;
      }
      if (error.code !== CHANGED) return this.#reject(wanted.name, error);
    }
  }

  async #saveApis(id: string, wanted: Entry['apis']): Promise<void> {
    const options = { client: this.#client, path: { id } };
    const { data } = await listOrganizationApis({ ...options, throwOnError: true });
    const known = new Map(data.data.map((api) => [keyOf(api), api]));
    for (const body of wanted) {
      const api = known.get(keyOf(body));
      if (api) this.#unchanged(api);
      else {
        const created = await createOrganizationApi({ ...options, body });
        if (created.data) this.#created(created.data.data);
        else this.#reject(body.name, created.error);
      }
    }
  }

  #created({ _id }: Organization | Api): string {
    this.summary.created++;
    return _id;
  }

  #unchanged({ _id }: Organization | Api): string {
    this.summary.unchanged++;
    return _id;
  }

  #reject(name: string, { message }: Failure): undefined {
    if (typeof message === 'string') throw new Error(message);
    this.summary.rejected.push(`${name}: ${message.map(({ title, detail }) => `${title} ${detail}`).join('; ')}`);
  }

  /** Refreshes the tokens when the access token has expired. Requests are sent one after another. */
  async #send(request: Request, fetch: Fetch): Promise<Response> {
    const again = request.clone();
    const response = await fetch(request);
    if (response.status !== 401 || !this.#tokens.refreshToken) return response;
    const { refreshToken } = this.#tokens;
    this.#tokens = { accessToken: '', refreshToken: '' };
    const { data } = await createToken({ client: this.#client, body: { refreshToken }, throwOnError: true });
    this.#tokens = data.data;
    again.headers.set('Authorization', `Bearer ${this.#tokens.accessToken}`);
    return fetch(again);
  }
}

function isUpToDate(listed: object, wanted: object): boolean {
  return Object.entries(wanted).every(([field, value]) => listed[field as keyof object] === value);
}

/** Names are unique without regard to case. */
function keyOf({ name }: { name: string }): string {
  return name.toLowerCase();
}
