/**
 * Keeps Roster in step with a JSON file of Organizations, their APIs and the Consumers of these: creates what is missing,
 * updates what differs, and lists what the file no longer has. You can run it every night. Fields that the file leaves out
 * keep their values, and so do the Consumers of an API without a list of them. An entry with an `externalId` stays the same
 * record when its name changes; others are found by their names.
 *
 *     ROSTER=https://roster.example ROSTER_KEY=roster_… node sync.ts organizations.json
 *
 * With `--delete`, it deletes what the file no longer has: Organizations that its account manages, their APIs, and the
 * Consumers that are not in the list of an API. It deletes nothing if Roster refused an entry, and not more than a tenth of
 * them unless `--max-deletions` says how many.
 *
 * The exit code is 0; 1 if entries were rejected; 2 if it could not begin, or not go on; 3 if it would delete too much.
 */
import { env } from 'node:process';
import { parseArgs } from 'node:util';
import { RosterClient, RosterError, type Saved, type Schemas } from '@roster/client';
import { type ConsumerList, organizationFinder, syncConsumers, wantedConsumers } from './consumers.ts';
import { distinct, type Entry, nameKey, readEntries, twins, withKnown } from './entries.ts';
import { leftOut, type Missing, summary, type Surplus, unlessRejected } from './summary.ts';

const NOT_ROSTER = 'The response is not one of Roster: is ROSTER its address?';
const OF_OTHERS =
  ' The Organization of this name belongs to others. To name another one, give the entry its externalId, which an Admin sets.';
const OPTIONS = { delete: { type: 'boolean' }, 'max-deletions': { type: 'string' } } as const;
/** The ids of the records that the file has. */
const inFile = new Set<string>();
/** The ids of the Organizations whose APIs are all in the file. */
const complete = new Set<string>();

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

/** Makes Roster have the entries, and finds what it has beyond them, among the records that the account manages. */
async function sync(roster: RosterClient, entries: Entry[]): Promise<Surplus> {
  const params = { query: { limit: 100 } };
  const { data: me } = await roster.get('/users/{id}', { params: { path: { id: 'me' } } });
  if (!me?._id) throw new Error(NOT_ROSTER);
  const organizations: Schemas['OrganizationItem'][] = [];
  for await (const one of roster.list('/organizations', { params })) organizations.push(one);
  const apis = new Map<string, Schemas['ApiItem'][]>();
  const apisOf = (id: string) => apis.get(id) ?? apis.set(id, []).get(id)!;
  for await (const one of roster.list('/apis', { params })) apisOf(one.organizationId).push(one);
  const isMine = ({ managerIds }: Schemas['OrganizationItem']) => managerIds.includes(me._id);
  const pairs = withKnown(entries, organizations);
  const consumers = await wantedConsumers(entries, organizationFinder(roster, organizations, pairs));
  const created = new Map<Entry, string>();
  const lists: ConsumerList[] = [];
  for (const [pair, known] of pairs) {
    const { apis: wanted = [], ...entry } = pair;
    const owner = known ?? organizations.find(({ name }) => nameKey(name) === nameKey(entry.name));
    const hint = owner && !isMine(owner) ? OF_OTHERS : '';
    const saved = await save(entry.name, known, () => roster.organizations.createOrUpdate(entry, known), hint);
    if (!saved) continue;
    const organizationId = saved.data._id;
    created.set(pair, organizationId);
    // The twin of an entry may have more of its APIs.
    if (!twins.has(nameKey(entry.name))) complete.add(organizationId);
    for (const [one, knownApi] of withKnown(wanted, apisOf(organizationId))) {
      const { consumers: list, ...fields } = one;
      const [name, api] = [`${entry.name}: ${fields.name}`, { ...fields, organizationId }];
      const savedApi = await save(name, knownApi, () => roster.apis.createOrUpdate(api, knownApi), hint);
      if (!savedApi || !list) continue;
      const isTwin = twins.has(`${entry.name}: ${nameKey(fields.name)}`);
      const isComplete = owner !== undefined && isMine(owner) && complete.has(organizationId) && !isTwin;
      lists.push({ name, saved: savedApi, wanted: consumers.get(one)!, isComplete });
    }
  }
  const owned = organizations.filter(isMine).map((one) => ({ organization: one, apis: apisOf(one._id) }));
  // Consumers last, because an Organization further down in the file may use an API further up.
  const others = await syncConsumers(roster, lists, created);
  return {
    missing: [...owned.flatMap((one) => missingIn(roster, one.organization, one.apis)), ...others.missing],
    managed: owned.reduce((sum, one) => sum + 1 + one.apis.length, others.managed),
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
 */
async function save(
  name: string,
  known: { _id: string } | null,
  write: () => Promise<Saved<{ _id: string }>>,
  hint: string,
): Promise<Saved<{ _id: string }> | undefined> {
  const saved = await unlessRejected(name, write, hint);
  const id = saved?.data._id ?? known?._id;
  if (saved) summary[saved.outcome]++;
  if (id) inFile.add(id);
  return saved;
}
