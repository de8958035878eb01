import { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { etagOf } from '../http/etag';
import { ForUpdate } from './for-update';
import { Caller, Loaded, LoadedForUpdate } from './params.decorators';

/** What a parameter decorator gives to a handler of a request. */
function valueOf(decorator: () => ParameterDecorator, request: object): unknown {
  class Controller {
    handler(@decorator() value: unknown): unknown {
      return value;
    }
  }
  const [declared] = Object.values<{ factory: (data: unknown, context: ExecutionContext) => unknown }>(
    Reflect.getMetadata(ROUTE_ARGS_METADATA, Controller, 'handler') as never,
  );
  const context = { switchToHttp: () => ({ getRequest: () => request }) };
  return declared!.factory(undefined, context as ExecutionContext);
}

const account = { isAdmin: false };
const access = { account, loaded: [{ record: 'an organization' }, { record: { revision: 3 } }] };
const headers = { 'if-match': etagOf({ revision: 3 }) };

describe('the parameter decorators', () => {
  it('give a handler what the guards have loaded, or nothing', () => {
    expect([Caller, Loaded].map((one) => valueOf(one, { access }))).toEqual([account, { revision: 3 }]);
    for (const request of [{ access: { loaded: [] } }, {}])
      expect([Caller, Loaded].map((one) => valueOf(one, request))).toEqual([undefined, undefined]);
  });

  it('give a record for update with the caller and If-Match, but not without an account', () => {
    const update = valueOf(LoadedForUpdate, { access, headers }) as ForUpdate<{ revision: number }>;
    expect(update).toBeInstanceOf(ForUpdate);
    expect([update.account, update.record, update.isConditional]).toEqual([account, { revision: 3 }, true]);
    expect(() => update.requireMatch()).not.toThrow();
    const message = 'This operation has no account, so it cannot update a record.';
    for (const request of [{ access: { loaded: [] }, headers }, { headers }])
      expect(() => valueOf(LoadedForUpdate, request)).toThrow(message);
  });
});
