import type { RosterClient, Schemas } from '@roster/client';
import { API, CONSUMER, ETAG, ID, OWNER } from '../import-csv/rows.ts';
import { marked } from '../import-csv/safe-cell.ts';
import type { BodySchema } from '../import-csv/schemas.ts';

/** A response that has no list of records. */
export class NotRoster extends Error {}

const PAGES = { params: { query: { limit: 100 } } };

/** The names of the columns, then the rows of all records that the account may read. A page of them is in memory. */
export async function* rowsOf(roster: RosterClient, body: BodySchema): AsyncGenerator<string[]> {
  if (body.name === 'ApiInput') return yield* apiRows(roster, body);
  if (body.name === 'UpdateApiConsumerInput') return yield* consumerRows(roster, body);
  yield [...body.columns, ID, ETAG];
  for await (const page of roster.pages('/organizations', PAGES)) {
    for (const one of listOf(page)) yield [...body.cellsOf(one), one._id, one.etag];
  }
}

async function* apiRows(roster: RosterClient, body: BodySchema): AsyncGenerator<string[]> {
  yield [OWNER, ...body.columns, ID, ETAG];
  for await (const page of roster.pages('/apis', PAGES)) {
    const ids = [...new Set(listOf(page).map(({ organizationId }) => organizationId))];
    const owners =
      ids.length === 0 ? [] : (await roster.get('/organizations', { params: { query: { id: ids.join() } } })).data;
    const names = new Map(owners.map((one) => [one._id, nameOf(one)]));
    for (const one of page) {
      const owner = names.get(one.organizationId);
      // Both were deleted meanwhile.
      if (owner !== undefined) yield [owner, ...body.cellsOf(one), one._id, one.etag];
    }
  }
}

/** Those of the APIs that an Organization uses: most APIs have none, and a list of all Consumers does not exist. */
async function* consumerRows(roster: RosterClient, body: BodySchema): AsyncGenerator<string[]> {
  yield [CONSUMER, OWNER, API, ...body.columns];
  const organizations = new Map<string, string>();
  for await (const page of roster.pages('/organizations', PAGES))
    for (const one of listOf(page)) organizations.set(one._id, nameOf(one));
  const used = new Map<string, Schemas['ApiItem']>();
  for (const consumerId of organizations.keys()) {
    const params = { query: { consumerId, limit: 100 } };
    for await (const one of roster.list('/apis', { params })) used.set(one._id, one);
  }
  for (const [id, api] of [...used].sort(([one], [other]) => one.localeCompare(other))) {
    const owner = organizations.get(api.organizationId);
    const params = { path: { id }, query: { limit: 100 } };
    // It was created, and the API used, meanwhile.
    if (owner === undefined) continue;
    for await (const one of roster.list('/apis/{id}/consumers', { params }))
      yield [nameOf(one), owner, nameOf(api), ...body.cellsOf(one)];
  }
}

/** How an import finds a record: a name comes before a slug, but after an id. */
function nameOf({ _id, name }: { _id: string; name: string }): string {
  return marked(/^[0-9a-f]{24}$/i.test(name) ? _id : name);
}

function listOf<T>(page: T[]): T[] {
  if (!Array.isArray(page)) throw new NotRoster();
  return page;
}
