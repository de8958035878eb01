import { ErrorName, apiErrors } from '../src/errors/api-error';
import { errorRows } from './errors/error-rows';
import { createWorld, World } from './errors/world';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(async () => {
  world.endless.close();
  await world.service.stop();
});

/** Errors whose message says more than the table's: which parameter is wrong, of what there are too many. */
const OWN_MESSAGE: readonly ErrorName[] = ['forbidden', 'invalidQuery', 'tooMany', 'tooManyRequests', 'unusableBody'];

/** The errors in the order of the rows, then those without a row: tests run without a check of types. */
const names = [...new Set([...Object.keys(errorRows), ...Object.keys(apiErrors)] as ErrorName[])];

describe('every error of the table', () => {
  it.each(names)(
    'is in the response to some request: %s',
    async (name) => {
      if (!errorRows[name])
        throw new Error(`${name} has no row: add a request that causes it to test/errors/error-rows.ts.`);
      const { status, body } = await errorRows[name](world);
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
