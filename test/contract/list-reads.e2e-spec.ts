import { type mongo, Types } from 'mongoose';
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

it('a search reads only the records of its Organization, and of Users only the caller', async () => {
  const account = await service.account();
  for (const [list, limit] of [
    [`/organizations/${id}/apis`, { organizationId: new Types.ObjectId(id) }],
    ['/users', { _id: new Types.ObjectId(account.id) }],
  ] as const) {
    sent = [];
    expectOutcome(await account.get(`${list}?q=no`, COUNTED), 200);
    const firstStages = reads().map(({ command }) => (command.pipeline as unknown[] | undefined)?.[0]);
    expect(firstStages).toEqual([{ $match: limit }, { $match: limit }]);
  }
});

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
    const fail = (fault: object, times: number): Promise<unknown> => {
      const data = { failCommands: [command], ...fault };
      return service.connection.db!.admin().command({ configureFailPoint: 'failCommand', mode: { times }, data });
    };
    const readsBy = () => reads().filter(({ commandName }) => commandName === command);

    it.each([
      ['the connection is closed', { closeConnection: true }],
      ['the primary changes', { errorCode: 189 }],
    ])('is asked once more when %s, and only once', async (_what, fault) => {
      for (const [times, outcome] of [
        [1, 200],
        [2, 'databaseUnavailable'],
      ] as const) {
        sent = [];
        service.afterGuards.next(() => fail(fault, times));
        expectOutcome(await search(list), outcome);
        expect(readsBy().length).toBeGreaterThanOrEqual(2);
        await fail({}, 0);
      }
      expect(readsBy()).toHaveLength(2);
    });

    const isNotAskedAgain = async (fault: object): Promise<void> => {
      service.afterGuards.next(() => fail(fault, 1));
      expectOutcome(await search(list), 'overloaded');
      expect(readsBy()).toHaveLength(1);
    };
    it('is not asked again when it reaches its time limit', () => isNotAskedAgain({ errorCode: 50 }));
    // It takes seconds, and what waits is the same for all lists.
    if (list === LISTS[0][0])
      it('is not asked again when it has no time limit and goes on', () =>
        isNotAskedAgain({ blockConnection: true, blockTimeMS: 2800 }));
  });
});
