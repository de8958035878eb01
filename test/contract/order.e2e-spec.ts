import { apiErrors, type ErrorName } from '../../src/platform/base/errors/api-error';
import { type ApiResponse, Client } from '../support/client';
import { declaredOperations, Operation } from '../support/operations';
import { NOTHING } from '../support/records';
import type { ErrorRequest } from '../support/scene';
import { scenes } from '../support/scenes';
import { useService } from '../support/service';
import { Stage } from '../support/stage';
import { Check, CHECK_NAMES, CheckName, checks, expectedError, failing, withHeaders } from './checks';

/** The checks that an operation has, in the contract's order. */
function checksOf(operation: Operation): CheckName[] {
  return CHECK_NAMES.filter((name) => (checks[name] as Check).appliesTo(operation));
}

/** Every two checks, and every three that follow one another. */
function combinationsOf(names: readonly CheckName[]): CheckName[][] {
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other]));
  return [...pairs, ...names.slice(2).map((_, at) => names.slice(at, at + 3))];
}

describe('the first check that fails determines the response (contract §1.1)', () => {
  const operations = declaredOperations();
  const service = useService();
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.of(service);
  });

  it.each(operations)('$title, and it changes nothing', async (operation) => {
    const [request, stranger] = [await stage.bare(operation), await stage.stranger];
    const before = await service.contents();
    const names = checksOf(operation);
    const found: Record<string, number> = {};
    const expected: Record<string, number> = {};
    for (const failed of [...names.map((name) => [name]), ...combinationsOf(names)]) {
      const response = await service.nobody.send(failing(failed, request, stranger, operation));
      found[failed.join(' and ')] = response.body.code;
      expected[failed.join(' and ')] = apiErrors[expectedError(failed, operation)].code;
    }
    expect(found).toEqual(expected);
    expect(await service.contents()).toEqual(before);
  });

  const withId = operations.filter(({ path }) => path.includes(':'));

  it.each(withId)('$title does not find an invalid or unknown id (contract §1.2)', async (operation) => {
    const request = await stage.bare(operation);
    const own = /[0-9a-f]{24}(?!.*[0-9a-f]{24})/;
    // `me` is the caller in the place of a User, and in no other.
    const me = /^\/users\/:id(?!.*:keyId)/.test(operation.path) ? [] : ['me'];
    for (const id of [NOTHING, NOTHING.toUpperCase(), 'x', '$ne', ...me]) {
      const path = request.path.replace(own, id);
      const { status, body } = await service.nobody.send({ ...request, path });
      const { code } = apiErrors[expectedError(['target'], operation)];
      expect({ id, status, code: body.code }).toEqual({ id, status: 404, code });
    }
  });

  afterEach(() => jest.restoreAllMocks());

  const conflicts = [...scenes].flatMap(([resource, { errors = {} }]) =>
    (Object.entries(errors) as [ErrorName, ErrorRequest][])
      .filter(([name]) => apiErrors[name].status === 409)
      .map(([name, cause]) => ({ title: `${resource}: ${name}`, name, cause })),
  );

  it.each(conflicts)(
    'a precondition comes before the conflict of $title, except in a POST',
    async ({ name, cause }) => {
      const { send } = Client.prototype;
      const sent = jest.spyOn(Client.prototype, 'send');
      await cause(await Stage.of(service));
      const last = sent.mock.calls.length;
      const { method } = sent.mock.lastCall![0];
      const found: object[] = [];
      for (const headers of [{ 'if-match': '"another"' }, { 'if-none-match': '*' }]) {
        sent.mockClear().mockImplementation(function (this: Client, request) {
          const isLast = sent.mock.calls.length === last;
          return send.call(this, isLast ? withHeaders(request, headers) : request);
        });
        const [{ body }] = [await cause(await Stage.of(service))].flat() as [ApiResponse];
        found.push({ ...headers, code: body.code });
      }
      // A POST makes a new record, which no precondition is about.
      const { code } = apiErrors[method === 'POST' ? name : 'preconditionFailed'];
      expect(found).toEqual([
        { 'if-match': '"another"', code },
        { 'if-none-match': '*', code },
      ]);
    },
  );
});
