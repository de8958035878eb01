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
const access = {
  account,
  loaded: [{ record: 'a registry' }, { record: 'an organization' }, { record: { revision: 3 } }],
};
const headers = { 'if-match': etagOf({ revision: 3 }) };

describe('the parameter decorators', () => {
  it('give a handler what the guards have loaded', () => {
    expect(valueOf(Caller, { access })).toBe(account);
    expect(valueOf(Loaded, { access })).toEqual({ revision: 3 });
  });

  it('give nothing where there is no account, no record or no operation of the contract', () => {
    expect(valueOf(Caller, { access: { loaded: [] } })).toBeUndefined();
    expect(valueOf(Loaded, { access: { loaded: [] } })).toBeUndefined();
    for (const decorator of [Caller, Loaded]) expect(valueOf(decorator, {})).toBeUndefined();
  });

  it('give a record for update with the caller and If-Match', () => {
    const update = valueOf(LoadedForUpdate, { access, headers }) as ForUpdate<{ revision: number }>;
    expect(update).toBeInstanceOf(ForUpdate);
    expect([update.account, update.record, update.isConditional]).toEqual([account, { revision: 3 }, true]);
    expect(() => update.requireMatch()).not.toThrow();
  });

  it('fail where an operation without an account updates a record', () => {
    const message = 'This operation has no account, so it cannot update a record.';
    expect(() => valueOf(LoadedForUpdate, { access: { loaded: [] }, headers })).toThrow(message);
    expect(() => valueOf(LoadedForUpdate, { headers })).toThrow(message);
  });
});
