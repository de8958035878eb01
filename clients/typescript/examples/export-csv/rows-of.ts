import type { RosterClient } from '@roster/client';
import { ETAG, ID, OWNER } from '../import-csv/rows.ts';
import { marked } from '../import-csv/safe-cell.ts';
import type { BodySchema } from '../import-csv/schemas.ts';

/** A response that has no list of records. */
export class NotRoster extends Error {}

const PAGES = { params: { query: { limit: 100 } } };

/** The names of the columns, then the rows of all records that the account may read. A page of them is in memory. */
export async function* rowsOf(roster: RosterClient, body: BodySchema): AsyncGenerator<string[]> {
  if (body.name === 'ApiInput') return yield* apiRows(roster, body);
  yield [...body.columns, ID, ETAG];
  for await (const page of roster.pages('/organizations', PAGES)) {
    for (const one of listOf(page)) yield [...body.cellsOf(one), one._id, one.etag];
  }
}

/** The name of an Organization is always found before a slug. */
async function* apiRows(roster: RosterClient, body: BodySchema): AsyncGenerator<string[]> {
  yield [OWNER, ...body.columns, ID, ETAG];
  for await (const page of roster.pages('/apis', PAGES)) {
    const ids = [...new Set(listOf(page).map(({ organizationId }) => organizationId))];
    const owners =
      ids.length === 0 ? [] : (await roster.get('/organizations', { params: { query: { id: ids.join() } } })).data;
    const names = new Map(owners.map(({ _id, name }) => [_id, name]));
    for (const one of page) {
      const owner = names.get(one.organizationId);
      // Both were deleted meanwhile.
      if (owner !== undefined) yield [marked(owner), ...body.cellsOf(one), one._id, one.etag];
    }
  }
}

function listOf<T>(page: T[]): T[] {
  if (!Array.isArray(page)) throw new NotRoster();
  return page;
}
