import type { Connection, mongo } from 'mongoose';
import { messageOf } from '../../base/errors/message-of';
import { memoized } from '../../base/memoized';

/** What the driver reports about its connections to the database. */
interface DriverState {
  open: number;
  inUse: number;
  /** Operations that wait for a connection. */
  waiting: number;
  /** How often connections were lost. */
  disconnects: number;
  /** The replica sets that the servers belong to: the driver silently drops those of other sets. */
  readonly replicaSets: Set<string>;
}

/** Follows the driver of a connection, with one listener per event however many callers ask. */
export const driverStateOf = memoized((connection: Connection): Readonly<DriverState> => {
  const state = { open: 0, inUse: 0, waiting: 0, disconnects: 0, replicaSets: new Set<string>() };
  follow(connection.getClient(), state);
  // Each attempt to connect makes a new client. It exists when the listeners of this event have run.
  connection.on('connecting', () => queueMicrotask(() => follow(connection.getClient(), state)));
  return state;
});

function follow(client: mongo.MongoClient, state: DriverState): void {
  client.on('connectionCreated', () => (state.open += 1));
  client.on('connectionClosed', ({ reason }) => {
    state.open -= 1;
    // A command that timed out closes its connection, and not the pool.
    if (reason === 'error') state.disconnects += 1;
  });
  client.on('connectionPoolCleared', () => (state.disconnects += 1));
  client.on('connectionCheckOutStarted', () => (state.waiting += 1));
  client.on('connectionCheckOutFailed', () => (state.waiting -= 1));
  client.on('connectionCheckedOut', () => {
    state.waiting -= 1;
    state.inUse += 1;
  });
  client.on('connectionCheckedIn', () => (state.inUse -= 1));
  client.on('serverHeartbeatSucceeded', ({ reply }) => {
    if (reply.setName) state.replicaSets.add(reply.setName as string);
  });
}

/** The message of an error of the database; if `replicaSet` is wrong, with the sets that were found. */
export function databaseMessageOf(connection: Connection, error: unknown): string {
  const { replicaSet } = connection.getClient().options;
  const names = [...driverStateOf(connection).replicaSets];
  if (!replicaSet || names.length === 0 || names.includes(replicaSet)) return messageOf(error);
  return `${messageOf(error)}: replicaSet is ${replicaSet}, but the servers belong to ${names.sort().join(', ')}`;
}
