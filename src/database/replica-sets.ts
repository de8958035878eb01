import type { Connection, mongo } from 'mongoose';
import { messageOf } from '../errors/message-of';
import { onEachClient } from './each-client';

const found = new WeakMap<mongo.MongoClient, Set<string>>();

/** Notes which replica sets the servers belong to: the driver drops those of other sets without a word. */
export function watchReplicaSets(connection: Connection): void {
  onEachClient(connection, (client) => {
    const names = new Set<string>();
    found.set(client, names);
    client.on('serverHeartbeatSucceeded', ({ reply }) => void (reply.setName && names.add(reply.setName as string)));
  });
}

/** The message of an error of the database; if `replicaSet` is wrong, with the sets that were found. */
export function databaseMessageOf(connection: Connection, error: unknown): string {
  const client = connection.getClient();
  const { replicaSet } = client.options;
  const names = [...(found.get(client) ?? [])];
  if (!replicaSet || names.length === 0 || names.includes(replicaSet)) return messageOf(error);
  return `${messageOf(error)}: replicaSet is ${replicaSet}, but the servers belong to ${names.sort().join(', ')}`;
}
