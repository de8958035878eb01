import type { Connection } from 'mongoose';
import { memoized } from '../../base/memoized';
import type { ServerQuirks } from '../driver/quirks';
import { isSecantus, secantusQuirks } from './secantus';

const mongodb: ServerQuirks = {
  extraIndexes: () => [],
  startSnapshot: (client) => client.startSession({ snapshot: true }),
};

/** The quirks of the connected server, which is asked once what it is. */
export const quirksOf = memoized(async (connection: Connection): Promise<ServerQuirks> => {
  return (await isSecantus(connection)) ? secantusQuirks() : mongodb;
});
