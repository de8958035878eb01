import type { mongo } from 'mongoose';
import type { Service } from './service';

type Command = mongo.Document;

/** A read of a list: its command, and the number of records that the database returned. */
interface Read {
  readonly command: Command;
  returned: number;
}

/**
 * Notes the reads of a collection during some work, but for those of the guards, which look for ids. The service has been
 * started with `connectionOptions.monitorCommands`.
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

/** Whether an index finds what a read filters by: the plan begins with a field of the filter, not with the order alone. */
export async function isServed({ connection }: Service, { command }: Read): Promise<boolean> {
  const { find, filter, sort, limit, aggregate, pipeline } = command as Record<string, never>;
  const explain = find ? { find, filter, sort, limit } : { aggregate, pipeline, cursor: {} };
  const plan = JSON.stringify(await connection.db!.command({ explain, verbosity: 'queryPlanner' }));
  const filtered = JSON.stringify(find ? filter : (pipeline as unknown as Command[]).filter(({ $match }) => $match));
  const first = [...plan.matchAll(/"keyPattern":\{"([^"]+)"/g)].map(([, name]) => name!);
  return !plan.includes('COLLSCAN') && first.length > 0 && first.every((name) => filtered.includes(`"${name}"`));
}
