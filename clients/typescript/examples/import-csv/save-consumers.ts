import type { RosterClient, Schemas } from '@roster/client';
import { Refused, reasonsOf, type Reason } from './refusal.ts';
import { API, CONSUMER, OWNER, type Row } from './rows.ts';
import { normalized, type Fields } from './rules.ts';
import { type FindId, idFinder, organizationIds, type Registry, type Result } from './save-rows.ts';
import type { BodySchema } from './schemas.ts';

/** Which Consumer of which API a row is. */
interface Place {
  apiId: string;
  organizationId: string;
}

/** Saves Consumers one by one. Rows without a Consumer, or with one of a row above, are refused before the first is saved. */
export async function* saveConsumers(
  roster: RosterClient,
  registry: Registry,
  body: BodySchema,
  rows: Row[],
): AsyncGenerator<[Row, Result]> {
  const refused = (row: Row) => (error: unknown) => ({
    ...{ outcome: 'refused' as const, changed: [], reasons: reasonsOf(error, row.cells) },
  });
  const find = placeFinder(roster, registry);
  const numbers = new Map<string, number>();
  const places: [Row, Place][] = [];
  for (const row of rows) {
    const place = await placeOf(row, find, numbers).catch(refused(row));
    if ('outcome' in place) yield [row, place];
    else places.push([row, place]);
  }
  const consumersOf = consumerReader(roster);
  for (const [row, { apiId, organizationId }] of places) {
    const save = async (): Promise<Result> => {
      const known = (await consumersOf(apiId)).get(organizationId);
      const { note } = row.cells;
      const fields: Fields = note === undefined ? {} : normalized(body.name, body.bodyOf({ note }));
      if (known && (fields.note ?? known.note) === known.note)
        return { outcome: 'unchanged', changed: [], reasons: [] };
      const consumers = roster.consumersOf(apiId);
      const { outcome } = await consumers.createOrUpdate({ organizationId, ...fields }, known ? undefined : null);
      return { outcome, changed: outcome === 'updated' ? ['note'] : [], reasons: [] };
    };
    yield [row, await save().catch(refused(row))];
  }
}

/** @param numbers the rows above, by their Consumers. @throws Refused */
async function placeOf(row: Row, find: (row: Row) => Promise<Place>, numbers: Map<string, number>): Promise<Place> {
  if (row.problem !== undefined) throw new Refused({ text: row.problem });
  const place = await find(row);
  const key = `${place.apiId} ${place.organizationId}`;
  const above = numbers.get(key);
  if (above !== undefined) throw new Refused({ text: `row ${above} above is the same Consumer` });
  numbers.set(key, row.number);
  return place;
}

/** @returns a function that throws Refused with all that a row names wrongly */
function placeFinder(roster: RosterClient, { organizations, apis }: Registry): (row: Row) => Promise<Place> {
  const organizationOf = organizationIds(roster, organizations);
  const finders = new Map<string, FindId>();
  const apiFinder = (organizationId: string) => {
    const own = apis.filter((one) => one.organizationId === organizationId);
    const finder =
      finders.get(organizationId) ??
      idFinder(own, (slug) => roster.get('/apis', { params: { query: { organizationId, slug } } }));
    finders.set(organizationId, finder);
    return finder;
  };
  return async ({ cells }) => {
    const reasons: Reason[] = [];
    const idOf = async (column: string, what: string, find: FindId): Promise<string> => {
      const value = cells[column];
      const id = value === undefined ? undefined : await find(value);
      const text = value === undefined ? `${column} is required` : `${column} must be the name, slug or id of ${what}`;
      if (id === undefined) reasons.push({ text, value });
      return id ?? '';
    };
    const organizationId = await idOf(CONSUMER, 'an Organization', organizationOf);
    const owner = await idOf(OWNER, 'an Organization', organizationOf);
    const apiId = owner === '' ? '' : await idOf(API, 'an API of the Organization', apiFinder(owner));
    if (reasons.length > 0) throw new Refused(...reasons);
    return { apiId, organizationId };
  };
}

/** Reads the Consumers of an API, by their ids, once. */
function consumerReader(roster: RosterClient) {
  const lists = new Map<string, Map<string, Schemas['ApiConsumer']>>();
  return async (id: string): Promise<Map<string, Schemas['ApiConsumer']>> => {
    const known = lists.get(id);
    if (known) return known;
    const consumers = new Map<string, Schemas['ApiConsumer']>();
    const params = { path: { id }, query: { limit: 100 } };
    for await (const one of roster.list('/apis/{id}/consumers', { params })) consumers.set(one._id, one);
    lists.set(id, consumers);
    return consumers;
  };
}
