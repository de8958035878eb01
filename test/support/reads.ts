import type { mongo } from 'mongoose';
import { referencesIn } from '../../src/platform/records/schema/references';
import type { Service } from './service';

type Command = mongo.Document;

/** A read of a list: its command, and the number of records that the database returned. */
interface Read {
  readonly command: Command;
  returned: number;
}

/**
 * Notes the reads of a collection during some work, but for those of the guards, which look for ids.
 */
export async function readsOf(service: Service, collection: string, work: () => Promise<unknown>): Promise<Read[]> {
  const reads = new Map<number, Read>();
  const client = service.connection.getClient();
  const started = ({ command, requestId }: mongo.CommandStartedEvent): void => {
    const isOfIds = command.find && !command.sort && Object.keys((command.filter ?? {}) as object).join() === '_id';
    if ((command.find ?? command.aggregate) === collection && !isOfIds) reads.set(requestId, { command, returned: 0 });
  };
  const succeeded = ({ reply, requestId }: mongo.CommandSucceededEvent): void => {
    const read = reads.get(requestId);
    if (read) read.returned = (reply as { cursor: { firstBatch: unknown[] } }).cursor.firstBatch.length;
  };
  client.on('commandStarted', started).on('commandSucceeded', succeeded);
  await work().finally(() => client.off('commandStarted', started).off('commandSucceeded', succeeded));
  return [...reads.values()];
}

/** Records of a list that are read without an index for each filter: so many are read in a few milliseconds. */
const FEW = 1_000;

/**
 * Whether an index finds what a read filters by: it begins with a field of the filter, not with the order alone. It also
 * has a field that the read `without` this filter does not have, unless that one reads a few records at most.
 */
export async function isServed(service: Service, { command }: Read, without?: Read): Promise<boolean> {
  const { $or: alternatives = [], ...rest } = (command.filter ?? {}) as { $or?: readonly object[] };
  // MongoDB finds each alternative by its index. The embedded database, which reads them all, explains each alone.
  if (alternatives.length > 0 && Object.keys(rest).length === 0) {
    const reads = alternatives.map((filter) => ({ command: { ...command, filter }, returned: 0 }));
    return (await Promise.all(reads.map((read) => isServed(service, read, without)))).every(Boolean);
  }
  const { connection } = service;
  const { find, aggregate } = command as Record<string, never>;
  const plan = await planOf(service, command);
  // Not by `keyPattern`, which is an object, a text, or missing.
  const declared = await connection.db!.collection(String(find ?? aggregate)).indexes();
  const keysOf = (index: string): object => declared.find(({ name }) => name === index)!.key;
  const indexes = [...plan.matchAll(/"indexName":"([^"]+)"/g)].map(([, name]) => Object.keys(keysOf(name!)));
  const filtered = fieldsIn(JSON.stringify(filterOf(command)));
  // A page of the embedded database ends at a known id, once it knows some: that is no filter.
  const before = fieldsIn(JSON.stringify(filterOf(without?.command))).filter((name) => name !== '_id');
  const model = Object.values(connection.models).find(({ collection }) => collection.name === (find ?? aggregate))!;
  const isOfFew = referencesIn(model).some(
    ({ path, limit }) => before.includes(path) && (limit?.max ?? Infinity) <= FEW,
  );
  return (
    !plan.includes('COLLSCAN') &&
    indexes.length > 0 &&
    indexes.every(([first]) => filtered.includes(first!)) &&
    indexes.every((fields) => isOfFew || fields.some((name) => filtered.includes(name) && !before.includes(name)))
  );
}

/** Whether an index has the records of a read in its order. */
export async function isSorted(service: Service, { command }: Read): Promise<boolean> {
  const plan = await planOf(service, command);
  return plan.includes('"IXSCAN"') && !plan.includes('"SORT"');
}

async function planOf({ connection }: Service, command: Command): Promise<string> {
  const { find, filter, sort, limit, aggregate, pipeline } = command as Record<string, never>;
  const explain = find ? { find, filter, sort, limit } : { aggregate, pipeline, cursor: {} };
  const answer = await connection.db!.command({ explain, verbosity: 'queryPlanner' });
  return JSON.stringify(answer, (key, value: unknown) => (key === 'rejectedPlans' ? undefined : value));
}

const filterOf = (command: Command = {}): unknown =>
  command.find ? command.filter : ((command.pipeline ?? []) as Command[]).filter(({ $match }) => $match);

const fieldsIn = (json: string): string[] => Array.from(json.matchAll(/"([^"$]+)":/g), ([, name]) => name!);
