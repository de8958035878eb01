/**
 * Brings the Organizations and APIs of a CSV file into Roster: creates what is missing and updates what differs. You can
 * run it again and again.
 *
 *     ROSTER=http://127.0.0.1:3000 ROSTER_USERNAME=admin ROSTER_PASSWORD='…' node sync.ts organizations.csv
 */
import { readFileSync } from 'node:fs';
import { argv, env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { RosterClient, RosterError, type Schemas } from '@roster/client';
import { readEntries, type Entry } from './csv.ts';

type WantedOrganization = Omit<Entry, 'apis'>;
type WantedApi = Entry['apis'][number];

/** Error codes: the name of an Organization or of an API is taken, and the record has changed. */
const NAME_TAKEN = [1501, 1505];
const CHANGED = 1600;
/** How often a record is read and written if others change it in between. */
const ATTEMPTS = 5;

export class Sync {
  /** How many Organizations and APIs were created, updated and left alone, and what is wrong with others. */
  readonly summary = { created: 0, updated: 0, unchanged: 0, rejected: [] as string[] };
  readonly #roster: RosterClient;
  readonly #limit: number;

  /** @param limit the size of the pages to read */
  constructor(roster: RosterClient, limit = 100) {
    this.#roster = roster;
    this.#limit = limit;
  }

  async run(entries: readonly Entry[]): Promise<void> {
    const query = { limit: this.#limit };
    const known = new Map<string, Schemas['Organization']>();
    for await (const one of this.#roster.list('/organizations', { params: { query } })) known.set(keyOf(one), one);
    for (const { apis, ...wanted } of entries) {
      await this.#unlessInvalid(wanted.name, async () => {
        const id = await this.#saveOrganization(known.get(keyOf(wanted)), wanted);
        await this.#saveApis(id, apis);
      });
    }
  }

  /** @returns the id */
  async #saveOrganization(known: Schemas['Organization'] | undefined, wanted: WantedOrganization): Promise<string> {
    const created = known ? undefined : await this.#create(() => this.#roster.post('/organizations', { body: wanted }));
    if (created) return created._id;
    const existing = known ?? (await this.#findOrganization(wanted));
    await this.#updateOrganization(existing, wanted);
    return existing._id;
  }

  async #findOrganization({ name }: WantedOrganization): Promise<Schemas['Organization']> {
    for await (const one of this.#roster.list('/organizations', { params: { query: { q: name } } }))
      if (keyOf(one) === keyOf({ name })) return one;
    throw new Error(`There is an Organization whose name is almost "${name}".`);
  }

  async #updateOrganization(listed: Schemas['Organization'], wanted: WantedOrganization): Promise<void> {
    const path = { id: listed._id };
    await this.#update(listed, wanted, async () => {
      const { data, etag } = await this.#roster.get('/organizations/{id}', { params: { path } });
      const params = { path, header: { 'If-Match': etag } };
      await this.#roster.put('/organizations/{id}', { params, body: { ...data, ...wanted } });
    });
  }

  async #saveApis(organizationId: string, wanted: readonly WantedApi[]): Promise<void> {
    const params = { path: { id: organizationId } };
    const known = new Map<string, Schemas['Api']>();
    for await (const api of this.#roster.list('/organizations/{id}/apis', { params })) known.set(keyOf(api), api);
    for (const body of wanted) {
      const api = known.get(keyOf(body));
      await this.#unlessInvalid(body.name, async () => {
        if (api) await this.#updateApi(api, body);
        else await this.#create(() => this.#roster.post('/organizations/{id}/apis', { params, body }));
      });
    }
  }

  async #updateApi(listed: Schemas['Api'], wanted: WantedApi): Promise<void> {
    const path = { id: listed._id };
    await this.#update(listed, wanted, async () => {
      const { data, etag } = await this.#roster.get('/apis/{id}', { params: { path } });
      const params = { path, header: { 'If-Match': etag } };
      await this.#roster.put('/apis/{id}', { params, body: { ...data, ...wanted } });
    });
  }

  /** @returns `undefined` if someone else has created it in the meantime */
  async #create<T>(post: () => Promise<{ data: T }>): Promise<T | undefined> {
    try {
      const { data } = await post();
      this.summary.created++;
      return data;
    } catch (error) {
      if (isOneOf(error, NAME_TAKEN)) return undefined;
      throw error;
    }
  }

  /** Reads and writes, and tries again if others change the record in between. */
  async #update(listed: object, wanted: object, readAndWrite: () => Promise<void>): Promise<void> {
    if (Object.entries(wanted).every(([field, value]) => listed[field as keyof object] === value)) {
      this.summary.unchanged++;
      return;
    }
    for (let attempt = 1; ; attempt++) {
      try {
        await readAndWrite();
        this.summary.updated++;
        return;
      } catch (error) {
        if (!isOneOf(error, [CHANGED]) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** Goes on after an entry with invalid fields. */
  async #unlessInvalid(name: string, save: () => Promise<void>): Promise<void> {
    try {
      await save();
    } catch (error) {
      if (!(error instanceof RosterError) || error.fieldErrors.length === 0) throw error;
      this.summary.rejected.push(`${name}: ${error.message}`);
    }
  }
}

function isOneOf(error: unknown, codes: readonly number[]): boolean {
  return error instanceof RosterError && codes.includes(error.code ?? 0);
}

/** Names are unique without regard to case. */
function keyOf({ name }: { name: string }): string {
  return name.toLowerCase();
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const { ROSTER: baseUrl = 'http://127.0.0.1:3000' } = env;
  const { ROSTER_USERNAME: username = 'admin', ROSTER_PASSWORD: password = '' } = env;
  const roster = new RosterClient({ baseUrl });
  await roster.logIn({ username, password });
  const sync = new Sync(roster);
  await sync.run(readEntries(readFileSync(argv[2] ?? 'organizations.csv', 'utf8')));
  await roster.logOut();
  console.log(sync.summary);
}
