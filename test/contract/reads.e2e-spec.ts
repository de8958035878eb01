import { type mongo, Types } from 'mongoose';
import { expectOutcome } from '../support/expect-error';
import { OwnDatabase } from '../support/own-database';
import { createOrganization } from '../support/records';
import { Service, startService, useService } from '../support/service';
import { declaredOperations } from '../support/operations';
import { Stage } from '../support/stage';

/** Lists that are searched, here with an exact count. */
const LISTS = ['/users', '/organizations', '/apis', '/organizations/:id/apis'];
const COUNTED = { prefer: 'count=exact' };

describe('searches', () => {
  let database: OwnDatabase;
  let service: Service;
  let id: string;
  let sent: mongo.CommandStartedEvent[] = [];
  beforeAll(async () => {
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

  it('a search reads only the records of its Organization', async () => {
    const $match = { organizationId: new Types.ObjectId(id) };
    expectOutcome(await search('/organizations/:id/apis'), 200);
    const firstStages = reads().map(({ command }) => (command.pipeline as unknown[] | undefined)?.[0]);
    expect(firstStages).toEqual([{ $match }, { $match }]);
  });

  it.each(LISTS)(
    'the database stops reading and counting for %s by itself, before the socket times out',
    async (list) => {
      expectOutcome(await search(list), 200);
      expect(reads().length).toBeGreaterThanOrEqual(2);
      for (const { command } of reads()) {
        expect(command.maxTimeMS).toBeGreaterThan(0);
        expect(command.maxTimeMS).toBeLessThan(service.connection.getClient().options.socketTimeoutMS);
      }
    },
  );

  it('a search or a count that reaches its time limit is 503, and the database is not asked again', async () => {
    for (const name of ['find', 'aggregate']) {
      sent = [];
      // The service reads in the background, too.
      const command = { configureFailPoint: 'failCommand', data: { failCommands: [name], errorCode: 50 } };
      const admin = service.connection.db!.admin();
      service.afterGuards.next(() => admin.command({ ...command, mode: 'alwaysOn' }));
      const response = await search('/organizations');
      await admin.command({ ...command, mode: 'off' });
      expectOutcome(response, 'overloaded');
      expect(reads().filter(({ commandName }) => commandName === name)).toHaveLength(1);
    }
  });
});

describe('the read concern', () => {
  const service = useService();
  let stage: Stage;
  let reads: mongo.CommandStartedEvent['command'][] = [];
  beforeAll(async () => {
    stage = await Stage.of(service);
    service.connection.getClient().on('commandStarted', ({ command }) => {
      if (command.find ?? command.aggregate) reads.push(command);
    });
  });
  const operations = declaredOperations().filter(({ method }) => method === 'GET');

  it.each(operations)(
    '$title shows only what no failover takes back: each read is of what a majority has',
    async (operation) => {
      const request = await stage.bare(operation);
      reads = [];
      expect((await service.nobody.send(request)).status).toBe(200);
      expect(reads.length).toBeGreaterThan(0);
      for (const { readConcern } of reads) expect(readConcern).toEqual({ level: 'majority' });
    },
  );
});
