import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { Connection } from 'mongoose';

/** The open connections to the database, and what they do, by the events of the driver's pools. */
@Injectable()
export class PoolUsage {
  open = 0;
  inUse = 0;
  /** Operations that wait for a connection. */
  waiting = 0;

  constructor(@InjectConnection() private readonly connection: Connection) {
    this.watch();
    // Each attempt to connect makes a new client; it exists when the listeners of this event have run.
    connection.on('connecting', () => queueMicrotask(() => this.watch()));
  }

  private watch(): void {
    const client = this.connection.getClient();
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
