import type { RosterClient, Saved, Schemas } from '@roster/client';
import { Refused, reasonsOf, type Reason } from './refusal.ts';
import { OWNER, type Row } from './rows.ts';
import { normalized, uniqueKey } from './rules.ts';
import type { BodySchema } from './schemas.ts';

/** What became of a row. */
export interface Result {
  outcome: Saved<unknown>['outcome'] | 'refused';
  /** The columns that changed. */
  changed: string[];
  /** Why it was refused. */
  reasons: readonly Reason[];
}

type Fields = Record<string, unknown> & { name: string };
/** Where a row belongs: what is stored under its name, and how to save it. */
interface Place {
  /** The same for all rows that are one record for Roster. */
  key: string;
  known: object | null;
  save: (fields: object) => Promise<Saved<object>>;
}
type Find = (fields: Fields) => Promise<Place>;

const PAGES = { params: { query: { limit: 100 } } };

/** What Roster has. */
export interface Registry {
  organizations: Schemas['OrganizationItem'][];
  apis: Schemas['ApiItem'][];
}

/** Reads what the rows are compared with. APIs are not read for rows of Organizations. */
export async function readRegistry(roster: RosterClient, body: BodySchema): Promise<Registry> {
  const registry: Registry = { organizations: [], apis: [] };
  for await (const page of roster.pages('/organizations', PAGES)) registry.organizations.push(...page);
  if (body.name !== 'ApiInput') return registry;
  for await (const page of roster.pages('/apis', PAGES)) registry.apis.push(...page);
  return registry;
}

/** Saves the rows one by one, in their order. */
export async function* saveRows(
  roster: RosterClient,
  registry: Registry,
  body: BodySchema,
  rows: Row[],
): AsyncGenerator<[Row, Result]> {
  const find = body.name === 'ApiInput' ? apiFinder(roster, registry) : organizationFinder(roster, registry);
  const numbers = new Map<string, number>();
  for (const row of rows) {
    const result = saveRow(row, body, numbers, find).catch((error: unknown): Result => {
      return { outcome: 'refused', changed: [], reasons: reasonsOf(error, row.cells) };
    });
    yield [row, await result];
  }
}

/** @param numbers the rows above, by their keys */
async function saveRow(row: Row, body: BodySchema, numbers: Map<string, number>, find: Find): Promise<Result> {
  const { number, cells, problem } = row;
  if (problem !== undefined) throw new Refused({ text: problem });
  const { name } = cells;
  if (name === undefined) throw new Refused({ text: 'name is required' });
  const { [OWNER]: owner, ...fields } = cells;
  const { key, known, save } = await find({ name, ...(owner !== undefined && { [OWNER]: owner }) });
  const above = numbers.get(key);
  if (above !== undefined) throw new Refused({ text: `row ${above} above has this name` });
  numbers.set(key, number);
  const saved = await save(completed(normalized(body.name, body.bodyOf(fields)), known));
  const isChanged = (column: string) =>
    JSON.stringify(cellIn(known, column)) !== JSON.stringify(cellIn(saved.data, column));
  const changed = saved.outcome === 'updated' ? Object.keys(fields).filter(isChanged) : [];
  return { outcome: saved.outcome, changed, reasons: [] };
}

/** The value of a column, `address.city`, in a record. */
function cellIn(record: unknown, column: string): unknown {
  return column.split('.').reduce((value, name) => (value as Record<string, unknown> | null)?.[name], record);
}

/** The fields, objects with what the record has in them where their cells are empty. */
function completed(fields: object, known: object | null): object {
  const entries = Object.entries(fields).map(([name, value]: [string, unknown]) => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [name, isObject ? { ...(cellIn(known, name) as object), ...value } : value];
  });
  return Object.fromEntries(entries) as object;
}

function organizationFinder(roster: RosterClient, { organizations }: Registry): Find {
  const byKey = new Map(organizations.map((one) => [uniqueKey(one.name), one]));
  return async ({ name }) => {
    const key = uniqueKey(name);
    const known = byKey.get(key) ?? null;
    return { key, known, save: (fields) => roster.organizations.createOrUpdate(fields as never, known) };
  };
}

function apiFinder(roster: RosterClient, { organizations, apis }: Registry): Find {
  const ownerOf = ownerFinder(roster, organizations);
  const keyOf = (organizationId: string, name: string) => `${organizationId} ${uniqueKey(name)}`;
  const byKey = new Map(apis.map((one) => [keyOf(one.organizationId, one.name), one]));
  return async ({ [OWNER]: owner, name }) => {
    if (owner === undefined) throw new Refused({ text: `${OWNER} is required` });
    const organizationId = await ownerOf(String(owner));
    if (organizationId === undefined)
      throw new Refused({ text: `${OWNER} must be the name or the slug of an Organization`, value: String(owner) });
    const key = keyOf(organizationId, name);
    const known = byKey.get(key) ?? null;
    const save = (fields: object) => roster.apis.createOrUpdate({ ...fields, organizationId } as never, known);
    return { key, known, save };
  };
}

/** Finds the id of an Organization by its name or its slug. Only Roster knows old slugs; it is asked once for each. */
function ownerFinder(roster: RosterClient, organizations: Registry['organizations']) {
  const byName = new Map(organizations.map(({ _id, name }) => [uniqueKey(name), _id]));
  const bySlug = new Map<string, string | undefined>(organizations.map(({ _id, slug }) => [slug, _id]));
  return async (owner: string): Promise<string | undefined> => {
    const slug = owner.toLowerCase();
    const id = byName.get(uniqueKey(owner)) ?? bySlug.get(slug);
    if (id !== undefined || bySlug.has(slug) || !/^[a-z0-9-]{1,100}$/.test(slug)) return id;
    const { data } = await roster.get('/organizations', { params: { query: { slug } } });
    bySlug.set(slug, data[0]?._id);
    return data[0]?._id;
  };
}
