import type { mongo } from 'mongoose';
import { connectionOptions } from '../../src/database/connection-options';
import { useService } from '../support/service';
import { declaredOperations, nameOf } from './operations';
import { createWorld, requestOf, World } from './world';

connectionOptions.monitorCommands = true;
const service = useService();
let world: World;
let reads: mongo.CommandStartedEvent['command'][] = [];
beforeAll(async () => {
  world = await createWorld(service);
  service.connection.getClient().on('commandStarted', ({ command }) => {
    // The embedded database samples ids in the background, by a hint.
    if ((command.find ?? command.aggregate) && !command.hint) reads.push(command);
  });
});
beforeEach(() => void (reads = []));

const operations = declaredOperations().filter(({ method }) => method === 'GET');

it.each(operations.map((one) => [nameOf(one), one] as const))(
  '%s shows only what no failover takes back: each read is of what a majority has',
  async (_name, operation) => {
    expect((await service.nobody.send(requestOf(operation, world))).status).toBe(200);
    expect(reads.length).toBeGreaterThan(0);
    for (const { readConcern } of reads) expect(readConcern).toEqual({ level: 'majority' });
  },
);

it('what authorizes a write is read as it is stored now, also at the same time as a GET', async () => {
  const path = `/organizations/${world.ids.organizations}`;
  const [head, put] = await Promise.all([
    service.admin.send({ method: 'HEAD', path }),
    service.admin.send({ method: 'PUT', path, payload: {} }),
  ]);
  expect([head.status, put.status]).toEqual([200, 400]);
  const levels = reads.map(({ readConcern }) => (readConcern as { level: string } | undefined)?.level);
  // The account and the Organization, for each.
  expect(levels.sort()).toEqual(['majority', 'majority', undefined, undefined]);
});
