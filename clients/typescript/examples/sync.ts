/**
 * Keeps Roster in step with a JSON file of Organizations and their APIs: creates what is missing, updates what differs, and
 * lists what the file no longer has. You can run it every night. Fields that the file leaves out keep their values. An
 * entry with an `externalId` stays the same record when its name changes; others are found by their names.
 *
 *     ROSTER=https://roster.example ROSTER_KEY=roster_… node sync.ts organizations.json
 *
 * With `--delete`, it deletes what the file no longer has: Organizations that its account manages, and their APIs. It
 * deletes nothing if Roster refused an entry, and not more than a tenth of them unless `--max-deletions` says how many.
 *
 * The exit code is 0; 1 if entries were rejected; 2 if it could not begin, or not go on; 3 if it would delete too much.
 */
import { readFileSync } from 'node:fs';
import { env } from 'node:process';
import { parseArgs } from 'node:util';
import { RosterClient, RosterError, type Saved, type Schemas } from '@roster/client';

type Named = { name: string; externalId?: unknown; apis?: unknown };
type Entry = Schemas['OrganizationInput'] & { apis?: Schemas['ApiInput'][] };

/** What the file no longer has, the request that deletes it, and how many records are deleted with it. */
interface Missing {
  name: string;
  records: number;
  remove: () => Promise<unknown>;
}

const NOT_ROSTER = 'The response is not one of Roster: is ROSTER its address?';
const OF_OTHERS =
  ' The Organization of this name belongs to others. To name another one, give the entry its externalId, which an Admin sets.';
const OPTIONS = { delete: { type: 'boolean' }, 'max-deletions': { type: 'string' } } as const;
const summary = { created: 0, updated: 0, unchanged: 0, deleted: 0, missing: [] as string[], rejected: [] as string[] };
/** The ids of the records that the file has. */
const inFile = new Set<string>();
/** The ids of the Organizations whose APIs are all in the file. */
const complete = new Set<string>();
/** The keys of the names of entries that stand in the file more than once, and the entries that are left out for it. */
const twins = new Set<string>();
const leftOut: string[] = [];

try {
  process.exitCode = await main();
} catch (error) {
  const { message, cause } = error as Error;
  const isOther = error instanceof SyntaxError;
  const status = error instanceof RosterError ? `${error.status}: ` : isOther ? `${NOT_ROSTER} ` : '';
  console.error(`${status}${message}${cause instanceof Error ? ` (${cause.message})` : ''}`);
  process.exitCode = 2;
}
console.log(JSON.stringify({ ...summary, rejected: [...summary.rejected, ...leftOut] }, undefined, 2));

/** @returns the exit code */
async function main(): Promise<number> {
  const { positionals, values } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const { delete: deletes = false, 'max-deletions': most } = values;
  if (most !== undefined && !/^\d+$/.test(most)) throw new Error('--max-deletions must be a whole number.');
  const { ROSTER: baseUrl = 'http://127.0.0.1:3000' } = env;
  const key = env.ROSTER_KEY?.trim();
  if (!key) throw new Error('ROSTER_KEY is not set; it must be an API key (roster_…).');
  if (/[^!-~]/.test(key)) throw new Error('ROSTER_KEY must be an API key (roster_…).');
  if (!/^https?:\/\/[^?#]+$/.test(baseUrl)) throw new Error('ROSTER must be an http or https URL without ? and #.');
  const entries = readEntries(positionals[0] ?? 'organizations.json');
  if (deletes && entries.length === 0) {
    console.error('The list is empty, so --delete would delete all that the account manages.');
    return 3;
  }
  const once = distinct(entries).map((one) => ({ ...one, apis: distinct(one.apis ?? [], `${one.name}: `) }));
  const { missing, managed } = await sync(new RosterClient({ baseUrl, key, retries: 10 }), once);
  summary.missing = missing.map(({ name }) => name);
  const gone = missing.reduce((sum, { records }) => sum + records, 0);
  if (deletes && summary.rejected.length === 0) {
    if (gone > Number(most ?? managed / 10)) {
      console.error(
        `--delete would delete ${gone} of ${managed} records. If that is right, add --max-deletions ${gone}.`,
      );
      return 3;
    }
    for (const { name, remove } of missing) if (await unlessRejected(name, remove)) summary.deleted++;
  }
  return summary.rejected.length + leftOut.length > 0 ? 1 : 0;
}

/** @throws Error that says what is wrong with the file */
function readEntries(file: string): Entry[] {
  const bytes = readFileSync(file);
  let entries: unknown;
  try {
    // Without a byte order mark, which Windows writes.
    entries = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new Error(`${file} is not JSON in UTF-8: ${(error as Error).message}`);
  }
  requireNames(file, entries);
  for (const { name, apis } of entries) if (apis !== undefined) requireNames(`${file}: "apis" of ${name}`, apis);
  return entries as Entry[];
}

function requireNames(where: string, list: unknown): asserts list is Named[] {
  if (!Array.isArray(list)) throw new Error(`${where} is not a list.`);
  const index = list.findIndex(
    (one: Partial<Named> | null) => typeof one?.name !== 'string' || nameKey(one.name) === '',
  );
  if (index !== -1) throw new Error(`${where}: entry ${index + 1} has no name.`);
}

/** The entries without those that have the name or the external id of one before: for Roster, they are one record. */
function distinct<T extends Named>(entries: T[], prefix = ''): T[] {
  const firsts = { name: new Map<unknown, string>(), externalId: new Map<unknown, string>() };
  return entries.filter((entry) => {
    const [key, id] = [nameKey(entry.name), stored(entry.externalId)];
    const field = id && firsts.externalId.has(id) ? 'externalId' : 'name';
    const first = firsts[field].get(field === 'name' ? key : id);
    if (first === undefined) {
      firsts.name.set(key, key);
      firsts.externalId.set(id, key);
      return true;
    }
    twins.add(prefix + first);
    leftOut.push(`${prefix}${entry.name}: another entry has this ${field}`);
    return false;
  });
}

/**
 * The entries, each with its record or `null`: the one with its external id, or else with its name, unless that is another
 * entry's. Those with a new name come first, because others may get the old one.
 */
function withKnown<T extends Named, Item extends { name: string; externalId: string | null }>(
  entries: T[],
  records: Item[],
): [T, Item | null][] {
  const byName = new Map<unknown, Item>(records.map((one) => [one.name, one]));
  const byId = new Map<unknown, Item>(records.map((one) => [one.externalId, one]));
  const ids = new Set(entries.map(({ externalId }) => stored(externalId)));
  const pairs = entries.map((entry): [T, Item | null] => {
    const id = stored(entry.externalId);
    const named = byName.get(stored(entry.name));
    const isOfOther = named?.externalId && ids.has(named.externalId);
    return [entry, (id ? byId.get(id) : undefined) ?? (named && !isOfOther ? named : null)];
  });
  const isRenamed = ([{ name }, item]: [T, Item | null]) => item !== null && item.name !== stored(name);
  return pairs.sort((one, other) => Number(isRenamed(other)) - Number(isRenamed(one)));
}

/** Makes Roster have the entries, and finds what it has beyond them, among the records that the account manages. */
async function sync(roster: RosterClient, entries: Entry[]): Promise<{ missing: Missing[]; managed: number }> {
  const params = { query: { limit: 100 } };
  const { data: me } = await roster.get('/users/{id}', { params: { path: { id: 'me' } } });
  if (!me?._id) throw new Error(NOT_ROSTER);
  const organizations: Schemas['OrganizationItem'][] = [];
  for await (const one of roster.list('/organizations', { params })) organizations.push(one);
  const apis = new Map<string, Schemas['ApiItem'][]>();
  const apisOf = (id: string) => apis.get(id) ?? apis.set(id, []).get(id)!;
  for await (const one of roster.list('/apis', { params })) apisOf(one.organizationId).push(one);
  for (const [{ apis: wanted = [], ...entry }, known] of withKnown(entries, organizations)) {
    const owner = known ?? organizations.find(({ name }) => nameKey(name) === nameKey(entry.name));
    const hint = owner && !owner.managerIds.includes(me._id) ? OF_OTHERS : '';
    const organizationId = await save(entry.name, known, () => roster.organizations.createOrUpdate(entry, known), hint);
    if (!organizationId) continue;
    // The twin of an entry may have more of its APIs.
    if (!twins.has(nameKey(entry.name))) complete.add(organizationId);
    for (const [fields, knownApi] of withKnown(wanted, apisOf(organizationId))) {
      const api = { ...fields, organizationId };
      await save(`${entry.name}: ${api.name}`, knownApi, () => roster.apis.createOrUpdate(api, knownApi), hint);
    }
  }
  const managed = organizations.filter(({ managerIds }) => managerIds.includes(me._id));
  const owned = managed.map((one) => ({ organization: one, apis: apisOf(one._id) }));
  return {
    missing: owned.flatMap(({ organization, apis }) => missingIn(roster, organization, apis)),
    managed: owned.reduce((sum, one) => sum + 1 + one.apis.length, 0),
  };
}

/** An Organization with all its APIs, or the APIs that are missing in one that the file has. */
function missingIn(
  roster: RosterClient,
  { _id, name, etag }: Schemas['OrganizationItem'],
  apis: Schemas['ApiItem'][],
): Missing[] {
  // Deletes only records that have not changed since they were listed.
  const at = (id: string, version: string) => ({ params: { path: { id }, header: { 'If-Match': version } } });
  if (!inFile.has(_id)) {
    return [{ name, records: 1 + apis.length, remove: () => roster.delete('/organizations/{id}', at(_id, etag)) }];
  }
  return apis
    .filter((api) => complete.has(_id) && !inFile.has(api._id))
    .map((api) => ({
      name: `${name}: ${api.name}`,
      records: 1,
      remove: () => roster.delete('/apis/{id}', at(api._id, api.etag)),
    }));
}

/**
 * Saves an entry, and goes on if Roster rejects it.
 *
 * @param known the record with its external id or exactly its name; if the name differs in case, Roster finds it
 * @param hint follows the reason if the account may not write it
 * @returns the record's id
 */
async function save(
  name: string,
  known: { _id: string } | null,
  write: () => Promise<Saved<{ _id: string }>>,
  hint: string,
): Promise<string | undefined> {
  const saved = await unlessRejected(name, write, hint);
  const id = saved?.data._id ?? known?._id;
  if (saved) summary[saved.outcome]++;
  if (id) inFile.add(id);
  return saved?.data._id;
}

async function unlessRejected<T>(name: string, write: () => Promise<T>, hint = ''): Promise<T | undefined> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof RosterError) || ![400, 403, 404, 409, 412].includes(error.status)) throw error;
    summary.rejected.push(`${name}: ${error.message}${error.status === 403 ? hint : ''}`);
    return undefined;
  }
}

/** A name or an external id as Roster stores it (docs/limits.md, "Characters"). */
function stored(value: unknown): unknown {
  const around = /^[\p{White_Space}\uFEFF]+|[\p{White_Space}\uFEFF]+$/gu;
  return typeof value === 'string' ? value.normalize().replace(around, '') : value;
}

/** The key by which Roster compares names (docs/limits.md, "Keys of names"). */
function nameKey(name: string): string {
  const visible = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  const spaced = visible.replace(/[\p{White_Space}\u2800]+/gu, ' ').trim();
  const folded = spaced.normalize().toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  const undotted = folded.normalize('NFD').replace(/(?<=i\p{M}*)\u0307/gu, '');
  return undotted.normalize().replace(/[\u2010-\u2015\u2212]/g, '-');
}
