import { type RosterClient, RosterError, type Saved, type Schemas } from '@roster/client';
import type { Row } from './read-csv.ts';
import type { BodySchema } from './schemas.ts';

/** What became of a row, and which fields changed, or why it was refused. */
export interface Result {
  outcome: Saved<unknown>['outcome'] | 'refused';
  detail: string;
}

type Fields = Record<string, unknown> & { name: string };
/** Creates or updates a record. `known` is what it was before. */
type Save = (fields: Fields) => Promise<{ known: object | null; saved: Saved<object> }>;

/** The column of APIs that has the name of their Organization. */
export const OWNER = 'organization';
/** The statuses that refuse one row; any other error ends the import. */
const REFUSED = [400, 403, 404, 409, 412];
const PAGES = { params: { query: { limit: 100 } } };

/** A row that cannot be saved. */
class Refused extends Error {}

/** Saves the rows one by one, in their order. */
export async function* saveRows(roster: RosterClient, body: BodySchema, rows: Row[]): AsyncGenerator<[Row, Result]> {
  const save = await (body.name === 'ApiInput' ? apis(roster) : organizations(roster));
  const names = new Set<string>();
  for (const row of rows) yield [row, await resultOf(() => saveRow(row, body, names, save))];
}

async function resultOf(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const isRefused = error instanceof RosterError && REFUSED.includes(error.status);
    if (!isRefused && !(error instanceof Refused)) throw error;
    return { outcome: 'refused', detail: error.message };
  }
}

async function saveRow({ cells, isTooLong }: Row, body: BodySchema, names: Set<string>, save: Save): Promise<Result> {
  if (isTooLong) throw new Refused('it has more cells than there are columns');
  const { name, [OWNER]: owner } = cells;
  if (name === undefined) throw new Refused('name is required');
  const key = JSON.stringify([owner, name]).normalize().toLowerCase();
  if (names.has(key)) throw new Refused('a row above has this name');
  names.add(key);
  const { known, saved } = await save({ ...body.bodyOf(cells), name });
  const isChanged = (column: string) =>
    JSON.stringify(cellIn(known, column)) !== JSON.stringify(cellIn(saved.data, column));
  const changed = saved.outcome === 'updated' ? Object.keys(cells).filter(isChanged) : [];
  return { outcome: saved.outcome, detail: changed.join(', ') };
}

/** The value of a column, `address.city`, in a record. */
function cellIn(record: unknown, column: string): unknown {
  return column.split('.').reduce((value, name) => (value as Record<string, unknown> | null)?.[name], record);
}

/** The fields, objects with what the record has in them where their cells are empty. */
function completed(fields: object, known: object | null): object {
  const entries = Object.entries(fields).map(([name, value]: [string, unknown]) => {
    const isObject = typeof value === 'object' && !Array.isArray(value);
    return [name, isObject ? { ...(cellIn(known, name) as object), ...value } : value];
  });
  return Object.fromEntries(entries);
}

/** Finds Organizations by their names: in the list, or as Roster compares names. */
async function organizationFinder(roster: RosterClient) {
  const listed = new Map<string, Schemas['OrganizationItem']>();
  for await (const one of roster.list('/organizations', PAGES)) listed.set(one.name, one);
  const ask = async (name: string) => (await roster.get('/organizations', { params: { query: { name } } })).data[0];
  return async (name: string) => listed.get(name.normalize()) ?? (await ask(name)) ?? null;
}

async function organizations(roster: RosterClient): Promise<Save> {
  const find = await organizationFinder(roster);
  return async (fields) => {
    const known = await find(fields.name);
    const saved = await roster.organizations.createOrUpdate(completed(fields, known) as never, known);
    return { known, saved };
  };
}

async function apis(roster: RosterClient): Promise<Save> {
  const findOrganization = await organizationFinder(roster);
  const listed = new Map<string, Schemas['ApiItem']>();
  for await (const one of roster.list('/apis', PAGES)) listed.set(one.organizationId + one.name, one);
  const ask = async (organizationId: string, name: string) =>
    (await roster.get('/apis', { params: { query: { organizationId, name } } })).data[0];
  return async ({ [OWNER]: owner, ...fields }) => {
    if (owner === undefined) throw new Refused(`${OWNER} is required`);
    const organization = await findOrganization(String(owner));
    if (!organization) throw new Refused(`there is no Organization ${String(owner)}`);
    const { _id: organizationId } = organization;
    const { name } = fields;
    const known = listed.get(organizationId + name.normalize()) ?? (await ask(organizationId, name)) ?? null;
    const body = { ...completed(fields, known), organizationId };
    const saved = await roster.apis.createOrUpdate(body as never, known);
    return { known, saved };
  };
}
