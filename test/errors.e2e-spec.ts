import { FailureName, failures } from '../src/http/failures';
import { FaultName, faults } from '../src/http/faults';
import { failureRows } from './errors/failure-rows';
import { faultRows } from './errors/fault-rows';
import { createWorld, World } from './errors/world';
import { expectFaults } from './support/expect-failure';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(async () => {
  world.endless.close();
  await world.service.stop();
});

/** Failures whose message says more than the table's: which parameter is wrong, of what there are too many. */
const OWN_MESSAGE: readonly FailureName[] = ['invalidQuery', 'tooMany', 'tooManyRequests', 'unusableBody'];

describe('every failure of the table', () => {
  it('has a row here', () => expect(Object.keys(failureRows).sort()).toEqual(Object.keys(failures).sort()));

  it.each(Object.keys(failureRows) as FailureName[])(
    'is answered to some request: %s',
    async (name) => {
      const { status, body } = await failureRows[name](world);
      const { message, ...row } = failures[name];
      expect({ status, code: body.code }).toEqual(row);
      expect(Object.keys(body)).toEqual(
        name === 'invalidContent' ? ['status', 'code', 'message'] : ['status', 'message', 'code'],
      );
      expect(body.status).toBe('fail');
      if (name === 'invalidContent') expect(body.message).toHaveLength(2);
      else if (!OWN_MESSAGE.includes(name)) expect(body.message).toBe(message);
    },
    30_000,
  );
});

describe('every fault of the table', () => {
  it('has a row here', () => expect(Object.keys(faultRows).sort()).toEqual(Object.keys(faults).sort()));

  it.each(Object.keys(faultRows) as FaultName[])('is answered to some request: %s', async (name) => {
    const { title, request } = faultRows[name];
    expectFaults(await request(world), [name, title]);
  });
});
