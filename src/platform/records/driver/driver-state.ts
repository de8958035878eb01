import type { Connection, mongo } from 'mongoose';
import { messageOf } from '../../base/errors/message-of';

/** What the driver reports about its connections to the database. */
export class DriverState {
  open = 0;
  inUse = 0;
  /** Operations that wait for a connection. */
  waiting = 0;
  /** How often connections were lost. */
  disconnects = 0;
  /** Those that the servers belong to: the driver silently drops servers of other ones. */
  private readonly replicaSets = new Set<string>();

  constructor(private readonly connection: Connection) {
    this.follow();
    // Each attempt to connect makes a new client. It exists when the listeners of this event have run.
    connection.on('connecting', () => queueMicrotask(() => this.follow()));
  }

  /** The message of an error of the database; if `replicaSet` is wrong, with the sets that were found. */
  messageOf(error: unknown): string {
    const { replicaSet } = this.connection.getClient().options;
    const names = [...this.replicaSets];
    if (!replicaSet || names.length === 0 || names.includes(replicaSet)) return messageOf(error);
    return `${messageOf(error)}: replicaSet is ${replicaSet}, but the servers belong to ${names.sort().join(', ')}`;
  }

  private follow(): void {
    const client = this.connection.getClient() as mongo.MongoClient | undefined;
    // Before the first attempt.
    if (!client) return;
    client.on('connectionCreated', () => (this.open += 1));
    client.on('connectionClosed', ({ reason }) => {
      this.open -= 1;
      // A command that timed out closes its connection, and not the pool.
      if (reason === 'error') this.disconnects += 1;
    });
    client.on('connectionPoolCleared', () => (this.disconnects += 1));
    client.on('connectionCheckOutStarted', () => (this.waiting += 1));
    client.on('connectionCheckOutFailed', () => (this.waiting -= 1));
    client.on('connectionCheckedOut', () => {
      this.waiting -= 1;
      this.inUse += 1;
    });
    client.on('connectionCheckedIn', () => (this.inUse -= 1));
    client.on('serverHeartbeatSucceeded', ({ reply }) => {
      if (reply.setName) this.replicaSets.add(reply.setName as string);
    });
  }
}
