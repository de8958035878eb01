import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { createConnection } from 'mongoose';
import { databaseUri } from '../../../../test/support/database';
import { ClosedSockets } from './closed-sockets';

/** Connects to a database, and collects the sockets of its connections. */
async function connectWithSockets() {
  const sockets: Socket[] = [];
  const collect = (message: unknown): unknown => sockets.push((message as { socket: Socket }).socket);
  subscribe('net.client.socket', collect);
  const connection = await createConnection(databaseUri('closed-sockets'), { autoIndex: false }).asPromise();
  await connection.collection('things').findOne({});
  const close = async (): Promise<void> => {
    unsubscribe('net.client.socket', collect);
    await connection.dropDatabase();
    await connection.close();
  };
  return { connection, sockets, close };
}

describe('a command that is sent over a connection which has just been closed', () => {
  it('is sent again over another one, as after any lost connection', async () => {
    const closedSockets = new ClosedSockets();
    const { connection, sockets, close } = await connectWithSockets();
    const things = connection.collection<{ _id: string }>('things');
    for (const send of [() => things.findOne({}), () => things.insertOne({ _id: 'one' })]) {
      // As when the server closes it: without an error, and the driver hears of it in the next turn of the event loop.
      sockets.forEach((socket) => socket.destroy());
      await send();
    }
    expect(await things.findOne({})).toEqual({ _id: 'one' });
    await close();
    closedSockets.onApplicationShutdown();
  });
});
