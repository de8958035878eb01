import type { Connection } from 'mongoose';
import type { ServerQuirks } from '../driver/quirks';
import { secantusQuirks } from './secantus';

const mongodb: ServerQuirks = {
  extraIndexes: () => [],
  startSnapshot: (client) => client.startSession({ snapshot: true }),
};

/** Asks a server what it is. */
export async function quirksOf(connection: Connection): Promise<ServerQuirks> {
  const buildInfo = await connection.db!.command({ buildInfo: 1 });
  return 'secantusVersion' in buildInfo ? secantusQuirks() : mongodb;
}
