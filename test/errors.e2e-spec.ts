import { ErrorName, apiErrors } from '../src/errors/api-error';
import { FieldErrorName } from '../src/errors/field-error';
import { errorRows } from './errors/error-rows';
import { fieldErrorRows } from './errors/field-error-rows';
import { createWorld, World } from './errors/world';
import { expectFieldErrors } from './support/expect-error';

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

describe('every error of the table', () => {
  it.each(Object.keys(errorRows) as ErrorName[])(
    'is in the response to some request: %s',
    async (name) => {
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

describe('every field error of the table', () => {
  it.each(Object.keys(fieldErrorRows) as FieldErrorName[])('is in the response to some request: %s', async (name) => {
    const { title, request } = fieldErrorRows[name];
    expectFieldErrors(await request(world), [name, title]);
  });
});
