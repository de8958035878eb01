/**
 * Keeps Roster in step with a JSON file of Organizations and their APIs: creates what is missing, updates what differs, and
 * lists what the file no longer has. You can run it every night. Fields that the file leaves out keep their values.
 *
 *     ROSTER=https://roster.example ROSTER_KEY=roster_… node sync.ts organizations.json
 *
 * With `--delete`, it deletes what the file no longer has: Organizations that its account manages, and their APIs. If
 * entries were rejected, it deletes nothing, and the exit code is 1.
 */
import { readFileSync } from 'node:fs';
import { env } from 'node:process';
import { parseArgs } from 'node:util';
import { RosterClient, RosterError, type Saved, type Schemas } from '@roster/client';

type Entry = Schemas['OrganizationInput'] & { apis?: Schemas['ApiInput'][] };

/** What the file no longer has, and the request that deletes it. */
interface Missing {
  name: string;
  remove: () => Promise<unknown>;
}

const { positionals, values } = parseArgs({ options: { delete: { type: 'boolean' } }, allowPositionals: true });
const roster = new RosterClient({ baseUrl: env.ROSTER ?? 'http://127.0.0.1:3000', key: env.ROSTER_KEY, retries: 10 });
const summary = { created: 0, updated: 0, unchanged: 0, deleted: 0, missing: [] as string[], rejected: [] as string[] };
/** The ids of the records that the file has. */
const inFile = new Set<string>();

await sync(JSON.parse(readFileSync(positionals[0] ?? 'organizations.json', 'utf8')) as Entry[]);
console.log(JSON.stringify(summary, undefined, 2));
process.exitCode = summary.rejected.length > 0 ? 1 : 0;

async function sync(entries: Entry[]): Promise<void> {
  const params = { query: { limit: 100 } };
  const { data: me } = await roster.get('/users/{id}', { params: { path: { id: 'me' } } });
  const organizations = new Map<string, Schemas['OrganizationItem']>();
  for await (const one of roster.list('/organizations', { params })) organizations.set(one.name, one);
  const apis = new Map<string, Map<string, Schemas['ApiItem']>>();
  for await (const one of roster.list('/apis', { params })) {
    apis.set(one.organizationId, (apis.get(one.organizationId) ?? new Map()).set(one.name, one));
  }
  const missing: Missing[] = [];
  for (const { apis: wanted = [], ...entry } of entries) {
    const known = organizations.get(storedName(entry)) ?? null;
    const organizationId = await save(entry.name, known, () => roster.organizations.createOrUpdate(entry, known));
    if (!organizationId) continue;
    const knownApis = apis.get(organizationId) ?? new Map<string, Schemas['ApiItem']>();
    for (const fields of wanted) {
      const api = { ...fields, organizationId };
      const knownApi = knownApis.get(storedName(api)) ?? null;
      await save(`${entry.name}: ${api.name}`, knownApi, () => roster.apis.createOrUpdate(api, knownApi));
    }
    if (known?.managerIds.includes(me._id)) missing.push(...missingApis(entry.name, [...knownApis.values()]));
  }
  const managed = [...organizations.values()].filter(({ managerIds }) => managerIds.includes(me._id));
  await report([...missing, ...missingOrganizations(managed)]);
}

/**
 * Saves an entry, and goes on if Roster rejects it.
 *
 * @param known the record with exactly this name; if its name differs in case, Roster finds it
 * @returns the record's id
 */
async function save(
  name: string,
  known: { _id: string } | null,
  write: () => Promise<Saved<{ _id: string }>>,
): Promise<string | undefined> {
  const saved = await unlessRejected(name, write);
  const id = saved?.data._id ?? known?._id;
  if (saved && inFile.has(saved.data._id)) summary.rejected.push(`${name}: another entry has this name`);
  if (saved) summary[saved.outcome]++;
  if (id) inFile.add(id);
  return saved?.data._id;
}

async function unlessRejected<T>(name: string, write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof RosterError) || ![400, 403, 404, 409, 412].includes(error.status)) throw error;
    summary.rejected.push(`${name}: ${error.message}`);
    return undefined;
  }
}

function missingOrganizations(organizations: Schemas['OrganizationItem'][]): Missing[] {
  return organizations
    .filter(({ _id }) => !inFile.has(_id))
    .map(({ _id: id, name, etag }) => {
      const params = { path: { id }, header: { 'If-Match': etag } };
      return { name, remove: () => roster.delete('/organizations/{id}', { params }) };
    });
}

function missingApis(organization: string, apis: Schemas['ApiItem'][]): Missing[] {
  return apis
    .filter(({ _id }) => !inFile.has(_id))
    .map(({ _id: id, name, etag }) => {
      const params = { path: { id }, header: { 'If-Match': etag } };
      return { name: `${organization}: ${name}`, remove: () => roster.delete('/apis/{id}', { params }) };
    });
}

/** Deletes only records that have not changed since they were listed. */
async function report(missing: Missing[]): Promise<void> {
  summary.missing = missing.map(({ name }) => name);
  if (!values.delete || summary.rejected.length > 0) return;
  for (const { name, remove } of missing) if (await unlessRejected(name, remove)) summary.deleted++;
}

/** The name as Roster stores it. */
function storedName({ name }: { name: string }): string {
  return String(name).normalize().trim();
}
