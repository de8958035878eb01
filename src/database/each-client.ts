import type { Connection, mongo } from 'mongoose';

/** Calls `listen` for the client of the connection, and for later ones: each attempt to connect makes a new client. */
export function onEachClient(connection: Connection, listen: (client: mongo.MongoClient) => void): void {
  listen(connection.getClient());
  // It exists when the listeners of this event have run.
  connection.on('connecting', () => queueMicrotask(() => listen(connection.getClient())));
}
