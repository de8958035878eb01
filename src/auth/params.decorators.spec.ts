import { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { etagOf, Precondition } from '../http/etag';
import { Caller, IfMatch, Loaded } from './params.decorators';

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

  it('give the If-Match header, or that there is none', () => {
    const [given, none] = [
      { access, headers },
      { access, headers: {} },
    ].map((request) => valueOf(IfMatch, request));
    expect([given, none]).toEqual([new Precondition(headers['if-match']), new Precondition(undefined)]);
  });
});
