import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { Connection, mongo } from 'mongoose';
import { onEachClient } from './each-client';

/** The open connections to the database, and what they do, by the events of the driver's pools. */
@Injectable()
export class PoolUsage {
  open = 0;
  inUse = 0;
  /** Operations that wait for a connection. */
  waiting = 0;

  constructor(@InjectConnection() connection: Connection) {
    onEachClient(connection, (client) => this.watch(client));
  }

  private watch(client: mongo.MongoClient): void {
    client.on('connectionCreated', () => (this.open += 1));
    client.on('connectionClosed', () => (this.open -= 1));
    client.on('connectionCheckOutStarted', () => (this.waiting += 1));
    client.on('connectionCheckOutFailed', () => (this.waiting -= 1));
    client.on('connectionCheckedOut', () => {
      this.waiting -= 1;
      this.inUse += 1;
    });
    client.on('connectionCheckedIn', () => (this.inUse -= 1));
  }
}
