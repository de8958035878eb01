import type { RosterClient, Saved, Schemas } from '@roster/client';
import { Refused, reasonsOf, type Reason } from './refusal.ts';
import { ETAG, ID, OWNER, type Row } from './rows.ts';
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

/** What tells which record a row is. */
interface Names {
  _id: string | undefined;
  owner: string | undefined;
  externalId: string | undefined;
  name: string;
}
/** Where a row belongs: what is stored of it, and how to save it. */
interface Place {
  /** The Organization of an API. */
  organizationId?: string;
  known: Item | null;
  save: (fields: object) => Promise<Saved<object>>;
}
type Find = (names: Names) => Promise<Place>;
type Item = Schemas['OrganizationItem'] | Schemas['ApiItem'];

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
  if (body.name === 'OrganizationInput') return registry;
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
  const ids = new Set(rows.map((row) => namesOf(row, body).externalId));
  const find = body.name === 'ApiInput' ? apiFinder(roster, registry, ids) : organizationFinder(roster, registry, ids);
  const numbers = new Map<string, number>();
  for (const row of rows) {
    const result = saveRow(row, body, numbers, find).catch((error: unknown): Result => {
      return { outcome: 'refused', changed: [], reasons: reasonsOf(error, row.cells) };
    });
    yield [row, await result];
  }
}

/** The external id as Roster stores it, because it is compared exactly. */
function namesOf({ cells }: Row, body: BodySchema): Names {
  const { [ID]: _id, [OWNER]: owner, externalId: cell, name = '' } = cells;
  const { externalId } = cell === undefined ? {} : normalized(body.name, body.bodyOf({ externalId: cell }));
  return { _id, owner, externalId: externalId as string | undefined, name };
}

/** @param numbers the rows above, by what tells which record they are */
async function saveRow(row: Row, body: BodySchema, numbers: Map<string, number>, find: Find): Promise<Result> {
  const { number, cells, problem } = row;
  if (problem !== undefined) throw new Refused({ text: problem });
  const { name } = cells;
  if (name === undefined) throw new Refused({ text: 'name is required' });
  const { [ID]: _id, [OWNER]: _owner, [ETAG]: etag, ...given } = cells;
  const names = namesOf(row, body);
  const { organizationId = '', known, save } = await find(names);
  const marks: [what: string, value: string | undefined][] = [
    ['has this name', uniqueKey(name)],
    ['has this externalId', names.externalId],
    ['is the same record', known?._id],
  ];
  for (const [what, value] of marks) {
    const above = value === undefined ? undefined : numbers.get(`${what} ${organizationId} ${value}`);
    if (above !== undefined) throw new Refused({ text: `row ${above} above ${what}` });
  }
  for (const [what, value] of marks) numbers.set(`${what} ${organizationId} ${value}`, number);
  const fields = known && etag !== undefined ? editedIn(row, body, known) : given;
  const saved = await save(completed(normalized(body.name, body.bodyOf(fields)), known));
  const isChanged = (column: string) =>
    JSON.stringify(cellIn(known, column)) !== JSON.stringify(cellIn(saved.data, column));
  const changed = saved.outcome === 'updated' ? Object.keys(fields).filter(isChanged) : [];
  return { outcome: saved.outcome, changed, reasons: [] };
}

/**
 * The cells of an exported row that somebody has edited; `null` for those that are empty now.
 *
 * @throws Refused if the record has changed since, too: then nothing tells what was edited
 */
function editedIn({ cells, columns }: Row, body: BodySchema, known: Item): Record<string, string | null> {
  const edited = columns
    .filter((column) => body.columns.includes(column) && (cells[column] ?? '') !== body.textOf(known, column))
    .map((column) => [column, cells[column] ?? null] as const);
  if (edited.length > 0 && cells[ETAG] !== known.etag)
    throw new Refused({ text: 'it has changed since the export: export it again, or remove the column etag' });
  // Without its id, it is found by these.
  const { externalId, name = '' } = cells;
  const names = cells[ID] === undefined ? { name, ...(externalId !== undefined && { externalId }) } : {};
  return { ...names, ...Object.fromEntries(edited) };
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

/**
 * Finds the record of a row: by its id, or else by its external id, or else by its name, unless that record's external id
 * is one of another row.
 *
 * @param ids the external ids of all rows
 */
function recordFinder<T extends Item>(records: T[], ids: Set<string | undefined>) {
  const ownerOf = (one: Item) => ('organizationId' in one ? one.organizationId : '');
  const mapBy = (keyOf: (one: T) => string | null) =>
    new Map(records.map((one) => [`${ownerOf(one)} ${keyOf(one)}`, one]));
  const [byName, byExternalId] = [mapBy(({ name }) => uniqueKey(name)), mapBy(({ externalId }) => externalId)];
  const byId = new Map(records.map((one) => [one._id, one]));
  return ({ _id, externalId, name }: Names, owner = ''): T | null => {
    if (_id !== undefined) {
      const known = byId.get(_id);
      if (!known) throw new Refused({ text: `${ID} is not the id of a record that you may read`, value: _id });
      if (ownerOf(known) === owner) return known;
      throw new Refused({ text: `${OWNER} is another one than that of the API, which stays in its Organization` });
    }
    const known = externalId === undefined ? undefined : byExternalId.get(`${owner} ${externalId}`);
    const named = byName.get(`${owner} ${uniqueKey(name)}`);
    const isOfOther =
      named && named.externalId !== null && named.externalId !== externalId && ids.has(named.externalId);
    return known ?? (named && !isOfOther ? named : null);
  };
}

function organizationFinder(roster: RosterClient, { organizations }: Registry, ids: Set<string | undefined>): Find {
  const find = recordFinder(organizations, ids);
  return async (names) => {
    const known = find(names);
    const id = names._id === undefined ? {} : { _id: names._id };
    return { known, save: (fields) => roster.organizations.createOrUpdate({ ...fields, ...id } as never, known) };
  };
}

function apiFinder(roster: RosterClient, { organizations, apis }: Registry, ids: Set<string | undefined>): Find {
  const ownerOf = organizationIds(roster, organizations);
  const find = recordFinder(apis, ids);
  return async (names) => {
    const { _id, owner } = names;
    if (owner === undefined) throw new Refused({ text: `${OWNER} is required` });
    const organizationId = await ownerOf(owner);
    if (organizationId === undefined)
      throw new Refused({ text: `${OWNER} must be the name, slug or id of an Organization`, value: owner });
    const known = find(names, organizationId);
    const own = { organizationId, ...(_id !== undefined && { _id }) };
    return {
      organizationId,
      known,
      save: (fields) => roster.apis.createOrUpdate({ ...fields, ...own } as never, known),
    };
  };
}

/** Finds the id of a record that a text names. */
export type FindId = (text: string) => Promise<string | undefined>;

/** Finds the id of an Organization by it, or by its name or slug. */
export function organizationIds(roster: RosterClient, organizations: Registry['organizations']): FindId {
  return idFinder(organizations, (slug) => roster.get('/organizations', { params: { query: { slug } } }));
}

/**
 * Finds the id of a record by it, or by its name, or else by its slug.
 *
 * @param ask for a slug that none of them has: only Roster knows old ones. It is asked once for each
 */
export function idFinder(
  records: Pick<Item, '_id' | 'name' | 'slug'>[],
  ask: (slug: string) => Promise<{ data: { _id: string }[] }>,
): FindId {
  const byName = new Map(records.map(({ _id, name }) => [uniqueKey(name), _id]));
  const bySlug = new Map<string, string | undefined>(records.map(({ _id, slug }) => [slug, _id]));
  const ids = new Set(records.map(({ _id }) => _id));
  return async (text) => {
    const slug = text.toLowerCase();
    const id = ids.has(slug) ? slug : (byName.get(uniqueKey(text)) ?? bySlug.get(slug));
    if (id !== undefined || bySlug.has(slug) || !/^[a-z0-9-]{1,100}$/.test(slug)) return id;
    const { data } = await ask(slug);
    bySlug.set(slug, data[0]?._id);
    return data[0]?._id;
  };
}
