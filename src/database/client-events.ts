import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { Connection, mongo } from 'mongoose';
import { messageOf } from '../errors/message-of';
import { memoized } from './memoized';

/** Calls `listen` for the client of the connection, and for later ones: each attempt to connect makes a new client. */
function onEachClient(connection: Connection, listen: (client: mongo.MongoClient) => void): void {
  listen(connection.getClient());
  // It exists when the listeners of this event have run.
  connection.on('connecting', () => queueMicrotask(() => listen(connection.getClient())));
}

/** Counts how often connections to the database are lost, by one listener however many ask. */
export const disconnectsOf = memoized((connection: Connection): { readonly count: number } => {
  const counter = { count: 0 };
  onEachClient(connection, (client) => {
    client.on('connectionPoolCleared', () => (counter.count += 1));
    // A command that timed out closes its connection, and not the pool.
    client.on('connectionClosed', ({ reason }) => (counter.count += reason === 'error' ? 1 : 0));
  });
  return counter;
});

/** The open connections to the database, and what they do, by the events of the driver's pools. */
@Injectable()
export class PoolUsage {
  open = 0;
  inUse = 0;
  /** Operations that wait for a connection. */
  waiting = 0;

  constructor(@InjectConnection() connection: Connection) {
    onEachClient(connection, (client) => {
      client.on('connectionCreated', () => (this.open += 1));
      client.on('connectionClosed', () => (this.open -= 1));
      client.on('connectionCheckOutStarted', () => (this.waiting += 1));
      client.on('connectionCheckOutFailed', () => (this.waiting -= 1));
      client.on('connectionCheckedOut', () => {
        this.waiting -= 1;
        this.inUse += 1;
      });
      client.on('connectionCheckedIn', () => (this.inUse -= 1));
    });
  }
}

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
