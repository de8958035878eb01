import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { mongo } from 'mongoose';

/**
 * Ends operations that the driver writes to a connection which the database has just closed. mongodb 7.8 then waits for
 * `drain` or `error`, but a closed socket only emits `close`: the operation would hang and never return its connection
 * to the pool. This way it fails, or is retried, as after any lost connection.
 */
@Injectable()
export class ClosedSockets implements OnApplicationShutdown {
  constructor() {
    subscribe('net.client.socket', watch);
  }

  onApplicationShutdown(): void {
    unsubscribe('net.client.socket', watch);
  }
}

function watch(message: unknown): void {
  const { socket } = message as { socket: Socket };
  socket.once('close', () => {
    const waits = socket.listenerCount('drain') > 0 && socket.listenerCount('error') > 0;
    if (waits) socket.emit('error', new mongo.MongoNetworkError('The connection closed before the command was sent.'));
  });
}
