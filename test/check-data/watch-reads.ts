import type { Connection } from 'mongoose';

/** A command that reads. */
export interface Read {
  collection: string;
  /** How many records its response has. */
  records: number;
  /** How many ids it asks for. */
  ids: number;
}

type Command = Partial<Record<'find' | 'aggregate' | 'collection', string>> & {
  filter?: { _id?: { $in?: unknown[] } };
};
type Reply = { cursor?: Partial<Record<'firstBatch' | 'nextBatch', unknown[]>> };

/** Notes what a connection with `monitorCommands` reads. */
export function watchReads(connection: Connection): Read[] {
  const reads: Read[] = [];
  const started = new Map<number, Command>();
  const client = connection.getClient();
  client.on('commandStarted', ({ requestId, command }) => started.set(requestId, command as Command));
  client.on('commandSucceeded', ({ requestId, reply }) => {
    const { find, aggregate, collection = find ?? aggregate, filter } = started.get(requestId) ?? {};
    const { firstBatch, nextBatch = firstBatch } = (reply as Reply).cursor ?? {};
    if (!collection || !nextBatch) return;
    reads.push({ collection, records: nextBatch.length, ids: filter?._id?.$in?.length ?? 0 });
  });
  return reads;
}
