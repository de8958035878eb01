import type { Calls, Result, Schemas } from './calls.ts';
import { RosterError } from './error.ts';

/** A record that was written, or did not need to be. */
export interface Saved<Data> {
  data: Data;
  etag: string;
  outcome: 'created' | 'updated' | 'unchanged';
}

/** An API to create or update, and the Organization that it belongs to. */
export type NewApi = Schemas['ApiInput'] & { organizationId: string };

/** The item of a list, which has its ETag. */
type Item<Data> = Data & { etag: string };

/** What is different in each collection. */
interface Requests<Input, Data> {
  /** The records that a filter finds. */
  list(filter: object): Promise<{ data: Item<Data>[] }>;
  /** Filters that each find one record: by its external id, if it can be found by that, and by its name. */
  filters(wanted: Input): object[];
  get(id: string): Promise<Result<Data, string>>;
  post(body: Input): Promise<Result<Data, string>>;
  put(id: string, etag: string, body: never): Promise<Result<Data, string>>;
  /** The error codes of a name or an external id that is taken, and of a record that does not exist. */
  races: readonly number[];
  /** Fields that a record gets when it is created, and that are not compared afterwards. */
  onlyNew?: readonly string[];
}

/** The record has changed since it was read. */
const CHANGED = 1600;
/** The API has no such Consumer. */
const NO_CONSUMER = 1308;
/** How often a record is read and written if others change it in between. */
const ATTEMPTS = 5;

/** Records that can be found by an external id or their name. All methods throw a {@link RosterError}. */
export class Collection<Input extends object, Data extends { _id: string }> {
  readonly #requests: Requests<Input, Data>;

  constructor(requests: Requests<Input, Data>) {
    this.#requests = requests;
  }

  /**
   * Creates the record, or changes what differs in the one that exists: the one with this `_id`, if it has one; or else
   * with its `externalId`; or else with its name, unless that has another `externalId`; a Consumer by its
   * `organizationId`. Fields that are left out keep their values, and so does a password. If others write the record at the same time, it is read again, up to five
   * times in all.
   *
   * @param known the item of a list that is this record, or `null` if none is: saves a request
   */
  createOrUpdate(wanted: Input & { _id?: string }, known?: Item<Data> | null): Promise<Saved<Data>> {
    return retried([CHANGED, ...this.#requests.races], async (isFirst) => {
      const found = isFirst && known !== undefined ? known : await this.#find(wanted);
      if (!found) return { ...(await this.#requests.post(wanted)), outcome: 'created' };
      // One that is not shown to this caller differs: the service says who may change it.
      const compared = Object.entries(wanted).filter(([field]) => !this.#requests.onlyNew?.includes(field));
      return this.#save(found, found.etag, Object.fromEntries(compared));
    });
  }

  /**
   * Changes some fields of a record. If others write it at the same time, it is read again, up to five times in all.
   *
   * @param change the fields, or a function that makes them from the record
   */
  update(id: string, change: Partial<Input> | ((record: Data) => Partial<Input>)): Promise<Saved<Data>> {
    return retried([CHANGED], async () => {
      const { data, etag } = await this.#requests.get(id);
      return this.#save(data, etag, typeof change === 'function' ? change(data) : change);
    });
  }

  async #find(wanted: Input & { _id?: string }): Promise<Item<Data> | undefined> {
    if (wanted._id !== undefined) {
      const { data, etag } = await this.#requests.get(wanted._id);
      return { ...data, etag };
    }
    const filters = this.#requests.filters(wanted);
    for (const filter of filters) {
      const [found] = (await this.#requests.list(filter)).data;
      const isAnother =
        filters.length > 1 && !('externalId' in filter) && (found as { externalId?: unknown })?.externalId;
      if (found && !isAnother) return found;
    }
    return undefined;
  }

  async #save(record: Data, etag: string, wanted: object): Promise<Saved<Data>> {
    const changes = Object.entries(wanted).filter(
      ([field, value]) => !isSame(field, record[field as keyof Data], value),
    );
    if (changes.length === 0) return { data: record, etag, outcome: 'unchanged' };
    const saved = await this.#requests.put(record._id, etag, { ...record, ...Object.fromEntries(changes) } as never);
    return { ...saved, outcome: saved.etag === etag ? 'unchanged' : 'updated' };
  }
}

/** The collections of a client. */
export interface Collections {
  readonly organizations: Collection<Schemas['OrganizationInput'], Schemas['Organization']>;
  readonly apis: Collection<NewApi, Schemas['Api']>;
  readonly users: Collection<Schemas['CreateUserInput'], Schemas['User']>;
}

export function collectionsOf(roster: Calls): Collections {
  const one = (id: string) => ({ params: { path: { id } } });
  const at = (id: string, etag: string) => ({ params: { path: { id }, header: { 'If-Match': etag } } });
  return {
    organizations: new Collection<Schemas['OrganizationInput'], Schemas['Organization']>({
      list: (query) => roster.get('/organizations', { params: { query } }),
      filters: ({ externalId, name }) => [...(externalId ? [{ externalId }] : []), { name }],
      get: (id) => roster.get('/organizations/{id}', one(id)),
      post: (body) => roster.post('/organizations', { body }),
      put: (id, etag, body) => roster.put('/organizations/{id}', { ...at(id, etag), body }),
      races: [1501, 1515, 1234],
    }),
    apis: new Collection<NewApi, Schemas['Api']>({
      list: (query) => roster.get('/apis', { params: { query } }),
      filters: ({ organizationId, externalId, name }) => [
        ...(externalId ? [{ organizationId, externalId }] : []),
        { organizationId, name },
      ],
      get: (id) => roster.get('/apis/{id}', one(id)),
      post: (body) => roster.post('/organizations/{id}/apis', { ...one(body.organizationId), body }),
      put: (id, etag, body) => roster.put('/apis/{id}', { ...at(id, etag), body }),
      races: [1505, 1516, 1303],
    }),
    users: new Collection<Schemas['CreateUserInput'], Schemas['User']>({
      list: (query) => roster.get('/users', { params: { query } }),
      filters: ({ username }) => [{ username }],
      get: (id) => roster.get('/users/{id}', one(id)),
      post: (body) => roster.post('/users', { body }),
      put: (id, etag, body) => roster.put('/users/{id}', { ...at(id, etag), body }),
      races: [1502, 1302],
      onlyNew: ['password'],
    }),
  };
}

export type Consumers = Collection<Schemas['CreateApiConsumerInput'], Schemas['ApiConsumer']>;

/** The Consumers of an API. The id of one is that of its Organization. */
export function consumersOf(roster: Calls, id: string): Consumers {
  const path = '/apis/{id}/consumers/{consumerId}';
  const one = (consumerId: string) => ({ params: { path: { id, consumerId } } });
  const get = (consumerId: string) => roster.get(path, one(consumerId));
  return new Collection({
    list: async ({ organizationId }: { organizationId: string }) => ({
      data: await get(organizationId).then(
        ({ data, etag }) => [{ ...data, etag }],
        (error: unknown) => {
          if (error instanceof RosterError && error.code === NO_CONSUMER) return [];
          throw error;
        },
      ),
    }),
    filters: ({ organizationId }) => [{ organizationId }],
    get,
    post: (body) => roster.post('/apis/{id}/consumers', { params: { path: { id } }, body }),
    // It is no field of a Consumer.
    put: (consumerId, etag, { etag: _, ...body }: Item<Schemas['ApiConsumer']>) =>
      roster.put(path, { params: { path: { id, consumerId }, header: { 'If-Match': etag } }, body }),
    races: [1514, NO_CONSUMER],
    onlyNew: ['organizationId'],
  });
}

/** Works again after an error with one of these codes. */
async function retried<T>(codes: readonly number[], work: (isFirst: boolean) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt === 1);
    } catch (error) {
      const isRace = error instanceof RosterError && codes.includes(error.code ?? 0);
      if (!isRace || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Compares a field as Roster stores it: text in NFC and without white space at its ends, tags sorted. */
function isSame(field: string, stored: unknown, wanted: unknown): boolean {
  const value = field === 'tags' && Array.isArray(wanted) ? wanted.toSorted() : wanted;
  return value === undefined || JSON.stringify(stored) === JSON.stringify(value, asStored);
}

function asStored(_: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value
    .normalize('NFC')
    .replace(/^\p{White_Space}+|\p{White_Space}+$/gu, '')
    .replaceAll('\r\n', '\n');
}
