import type { mongo } from 'mongoose';
import { connectionOptions } from '../../src/database/connection-options';
import { expectOutcome } from '../support/expect-error';
import { OwnDatabase } from '../support/own-database';
import { createOrganization } from '../support/records';
import { Service, startService } from '../support/service';

/** Lists that are searched with an exact count, and the commands that page and count are read with. */
const LISTS = [
  ['/users', ['find', 'aggregate']],
  ['/organizations', ['find', 'aggregate']],
  ['/apis', ['find', 'aggregate']],
  ['/organizations/:id/apis', ['aggregate']],
] as const;
const COUNTED = { prefer: 'count=exact' };

let database: OwnDatabase;
let service: Service;
let id: string;
let sent: mongo.CommandStartedEvent[] = [];
beforeAll(async () => {
  connectionOptions.monitorCommands = true;
  database = await OwnDatabase.start();
  service = await startService({ MONGODB_URI: database.uri() });
  service.connection.getClient().on('commandStarted', (event) => sent.push(event));
  id = (await createOrganization(service.admin))._id;
});
beforeEach(() => void (sent = []));
afterAll(async () => {
  await service.stop();
  await database.stop();
});

/** No index serves a search for two characters: it reads everything, and the count does so again. */
const search = (list: string, q = 'no') => service.admin.get(`${list.replace(':id', id)}?q=${q}`, COUNTED);

/** The reads of the list itself: those of the guards look for ids. */
const reads = () => sent.filter(({ command }) => command.sort ?? command.aggregate);

describe.each(LISTS)('the database, asked for a search in %s,', (list, commands) => {
  it.each(['no', 'nothing'])('stops reading and counting by itself, before the socket times out: %s', async (q) => {
    expectOutcome(await search(list, q), 200);
    expect(reads().length).toBeGreaterThanOrEqual(2);
    for (const { command } of reads()) {
      expect(command.maxTimeMS).toBeGreaterThan(0);
      expect(command.maxTimeMS).toBeLessThan(connectionOptions.socketTimeoutMS!);
    }
  });

  it.each(commands)('is not asked again when the connection is lost: %s', async (command) => {
    const data = { failCommands: [command], closeConnection: true };
    const failPoint = { configureFailPoint: 'failCommand', mode: { times: 1 }, data };
    service.afterGuards.next(() => service.connection.db!.admin().command(failPoint));
    expectOutcome(await search(list), 'databaseUnavailable');
    expect(reads().filter(({ commandName }) => commandName === command)).toHaveLength(1);
  });
});
