import { ErrorName, apiErrors } from '../src/errors/api-error';
import { FieldErrorName, fieldErrors } from '../src/errors/field-error';
import { failureRows } from './errors/failure-rows';
import { faultRows } from './errors/fault-rows';
import { createWorld, World } from './errors/world';
import { expectFaults } from './support/expect-error';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(async () => {
  world.endless.close();
  await world.service.stop();
});

/** Failures whose message says more than the table's: which parameter is wrong, of what there are too many. */
const OWN_MESSAGE: readonly ErrorName[] = ['forbidden', 'invalidQuery', 'tooMany', 'tooManyRequests', 'unusableBody'];

describe('every error of the table', () => {
  it('has a row here', () => expect(Object.keys(failureRows).sort()).toEqual(Object.keys(apiErrors).sort()));

  it.each(Object.keys(failureRows) as ErrorName[])(
    'is in the response to some request: %s',
    async (name) => {
      const { status, body } = await failureRows[name](world);
      const { message, ...row } = apiErrors[name];
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

describe('every field error of the table', () => {
  it('has a row here', () => expect(Object.keys(faultRows).sort()).toEqual(Object.keys(fieldErrors).sort()));

  it.each(Object.keys(faultRows) as FieldErrorName[])('is in the response to some request: %s', async (name) => {
    const { title, request } = faultRows[name];
    expectFaults(await request(world), [name, title]);
  });
});
