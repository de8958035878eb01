import { ErrorName, apiErrors } from '../src/errors/api-error';
import { fieldErrors } from '../src/errors/field-error';
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

/** The errors in the order of the rows, then those without a row. */
const namesOf = <N extends string>(rows: Readonly<Record<N, unknown>>, table: Readonly<Record<N, unknown>>): N[] => [
  ...new Set([...Object.keys(rows), ...Object.keys(table)] as N[]),
];

/** The row of an error. Its type says that there is one, but tests run without a check of types. */
function rowOf<N extends string, R>(rows: Readonly<Record<N, R>>, name: N, file: string): R {
  if (!rows[name]) throw new Error(`${name} has no row: add a request that causes it to test/errors/${file}.`);
  return rows[name];
}

describe('every error of the table', () => {
  it.each(namesOf(errorRows, apiErrors))(
    'is in the response to some request: %s',
    async (name) => {
      const { status, body } = await rowOf(errorRows, name, 'error-rows.ts')(world);
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
  it.each(namesOf(fieldErrorRows, fieldErrors))('is in the response to some request: %s', async (name) => {
    const { title, request } = rowOf(fieldErrorRows, name, 'field-error-rows.ts');
    expectFieldErrors(await request(world), [name, title]);
  });
});
