import type { Connection } from 'mongoose';
import type { ServerQuirks } from '../driver/quirks';
import { isSecantus, secantusQuirks } from './secantus';

const mongodb: ServerQuirks = {
  extraIndexes: () => [],
  startSnapshot: (client) => client.startSession({ snapshot: true }),
};

/** Asks a server what it is. */
export async function quirksOf(connection: Connection): Promise<ServerQuirks> {
  return (await isSecantus(connection)) ? secantusQuirks() : mongodb;
}
