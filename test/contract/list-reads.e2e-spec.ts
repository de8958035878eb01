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

/** A search reads everything that the list can have, and the count does so again. */
const search = (list: string, q = 'no') => service.admin.get(`${list.replace(':id', id)}?q=${q}`, COUNTED);

/** The reads of the list itself: those of the guards look for ids. */
const reads = () => sent.filter(({ command }) => command.sort ?? command.aggregate);

describe.each(LISTS)('the database, asked for a search in %s,', (list, commands) => {
  it('stops reading and counting by itself, before the socket times out', async () => {
    expectOutcome(await search(list), 200);
    expect(reads().length).toBeGreaterThanOrEqual(2);
    for (const { command } of reads()) {
      expect(command.maxTimeMS).toBeGreaterThan(0);
      expect(command.maxTimeMS).toBeLessThan(connectionOptions.socketTimeoutMS!);
    }
  });

  describe.each(commands)('to %s,', (command) => {
    it.each([
      ['loses the connection', { closeConnection: true }, 'databaseUnavailable'],
      ['reaches its time limit', { errorCode: 50 }, 'overloaded'],
      ['has no time limit and goes on', { blockConnection: true, blockTimeMS: 2800 }, 'overloaded'],
    ] as const)('is not asked again when it %s', async (_what, fault, outcome) => {
      const data = { failCommands: [command], ...fault };
      const failPoint = { configureFailPoint: 'failCommand', mode: { times: 1 }, data };
      service.afterGuards.next(() => service.connection.db!.admin().command(failPoint));
      expectOutcome(await search(list), outcome);
      expect(reads().filter(({ commandName }) => commandName === command)).toHaveLength(1);
    });
  });
});
