import { ErrorName, apiErrors } from '../../src/platform/base/errors/api-error';
import { errorRows } from './error-rows';
import { createWorld, World } from './world';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(async () => {
  world.endless.close();
  await world.service.stop();
});

/** Messages that say more than the table's: which parameter is wrong, what to send instead. */
const OWN_MESSAGE: Partial<Record<ErrorName, string>> = {
  forbidden: 'Only a Manager of this Organization or an Admin may do this.',
  noAccount: 'This identity has no account; an Admin can set its externalId to "nightly-import".',
  invalidQuery: 'The query parameter "limit" must be a whole number from 1 to 100.',
  tooMany: 'The Organization has reached its limit of 1,000 APIs.',
  tooManyRequests: 'Too many failed logins. Try again later.',
  unusableBody: 'The body is not valid JSON: error at position 1.',
  unsupportedMediaType: 'The Content-Type is "text/plain". Send application/json; charset=utf-8.',
  bodyTooLarge: 'The body is larger than 65,536 bytes.',
  methodNotAllowed: 'This path supports only GET, HEAD, POST, OPTIONS.',
};

/** The errors in the order of the rows, then those without a row: tests run without a check of types. */
const names = [...new Set([...Object.keys(errorRows), ...Object.keys(apiErrors)] as ErrorName[])];

describe('every error of the table', () => {
  it.each(names)('is in the response to some request: %s', async (name) => {
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
    else expect(body.message).toEqual(OWN_MESSAGE[name] ?? message);
  });
});
