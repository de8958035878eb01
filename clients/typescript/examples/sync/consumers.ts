import type { RosterClient, Saved, Schemas } from '@roster/client';
import { type ApiEntry, type Entry, nameKey, stored } from './entries.ts';
import { leftOut, summary, type Surplus, unlessRejected } from './summary.ts';

/** An Organization that the file names: its id, or the entry that creates it. */
type Target = string | Entry;
type Find = (text: string) => Promise<Target | undefined>;

/** An Organization that is to use an API. */
interface Wanted {
  name: string;
  target: Target;
  note: string | undefined;
}

/** The Consumers of an API in the file. */
export interface ConsumerList {
  /** That of the API, with its Organization. */
  name: string;
  saved: Saved<{ _id: string }>;
  wanted: Wanted[];
  /** Whether the account manages the API, and the file has all its Consumers. */
  isComplete: boolean;
}

/** Finds Organizations by their id, name or slug, those of the entries first. Only Roster knows old slugs. */
export function organizationFinder(
  roster: RosterClient,
  organizations: Schemas['OrganizationItem'][],
  entries: [Entry, { _id: string } | null][],
): Find {
  const ids = new Set(organizations.map(({ _id }) => _id));
  const bySlug = new Map(organizations.map(({ slug, _id }) => [slug, _id]));
  const byName = new Map<string, Target>(organizations.map(({ name, _id }) => [nameKey(name), _id]));
  for (const [entry, known] of entries) byName.set(nameKey(entry.name), known?._id ?? entry);
  return async (text) => {
    const slug = text.toLowerCase();
    const target = ids.has(text) ? text : (byName.get(nameKey(text)) ?? bySlug.get(slug));
    if (target !== undefined || !/^[a-z0-9-]{1,100}$/.test(slug)) return target;
    return (await roster.get('/organizations', { params: { query: { slug } } })).data[0]?._id;
  };
}

/** The Consumers of each API that has a list of them, without those that no Organization is, or that another one is. */
export async function wantedConsumers(entries: Entry[], find: Find): Promise<Map<ApiEntry, Wanted[]>> {
  const lists = new Map<ApiEntry, Wanted[]>();
  for (const { name: owner, apis = [] } of entries)
    for (const api of apis) {
      const wanted = new Map<Target, Wanted>();
      for (const one of api.consumers ?? []) {
        const { organization, note } = typeof one === 'string' ? { organization: one } : one;
        const name = `${owner}: ${api.name}: ${organization}`;
        const target = await find(stored(organization) as string);
        if (target === undefined) summary.rejected.push(`${name}: no Organization has this id, slug or name`);
        else if (wanted.has(target)) leftOut.push(`${name}: another entry is this Organization`);
        else wanted.set(target, { name, target, note });
      }
      lists.set(api, [...wanted.values()]);
    }
  return lists;
}

/**
 * Makes APIs have the Consumers of the file, and finds those that it does not have. A note that the file leaves out is kept.
 *
 * @param created the ids of the Organizations of the entries
 */
export async function syncConsumers(
  roster: RosterClient,
  lists: ConsumerList[],
  created: Map<Entry, string>,
): Promise<Surplus> {
  const surplus: Surplus = { missing: [], managed: 0 };
  for (const { name, saved, wanted, isComplete } of lists) {
    const { _id: id } = saved.data;
    const consumers = saved.outcome === 'created' ? [] : await unlessRejected(name, () => consumersOf(roster, id));
    const others = new Map(consumers?.map((one) => [one._id, one]));
    for (const one of consumers ? wanted : []) {
      const organizationId = typeof one.target === 'string' ? one.target : created.get(one.target);
      if (organizationId === undefined) summary.rejected.push(`${one.name}: its own entry was rejected`);
      else await save(roster, id, { ...one, organizationId }, others.get(organizationId));
      others.delete(organizationId ?? '');
    }
    if (!isComplete) continue;
    surplus.managed += consumers?.length ?? 0;
    for (const [consumerId, other] of others) {
      const params = { path: { id, consumerId } };
      const remove = () => roster.delete('/apis/{id}/consumers/{consumerId}', { params });
      surplus.missing.push({ name: `${name}: ${other.name}`, records: 1, remove });
    }
  }
  return surplus;
}

async function save(
  roster: RosterClient,
  apiId: string,
  { name, organizationId, note }: Wanted & { organizationId: string },
  known: Schemas['ApiConsumer'] | undefined,
): Promise<void> {
  const body = { organizationId, ...(note !== undefined && { note }) };
  const isSame = known && (note === undefined || stored(note) === known.note);
  const write = () => roster.consumersOf(apiId).createOrUpdate(body, known ? undefined : null);
  const outcome = isSame ? 'unchanged' : (await unlessRejected(name, write))?.outcome;
  if (outcome) summary[outcome]++;
}

async function consumersOf(roster: RosterClient, id: string): Promise<Schemas['ApiConsumer'][]> {
  const consumers: Schemas['ApiConsumer'][] = [];
  const params = { path: { id }, query: { limit: 100 } };
  for await (const one of roster.list('/apis/{id}/consumers', { params })) consumers.push(one);
  return consumers;
}
