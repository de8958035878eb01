import { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { Allow } from './access.decorator';
import type { Account } from './account';
import { Change } from './change';
import type { Judgement } from './judgement';
import { Caller, Changing, Parent, Target } from './params.decorators';
import { isPublic, Public } from './public.decorator';
import type { RuleName } from './rules';

type Param = { factory: (data: unknown, context: ExecutionContext) => unknown };

/** What a handler's parameter with this decorator becomes, for this request. */
function argument(decorator: () => ParameterDecorator, request: object): unknown {
  class Sample {}
  decorator()(Sample.prototype, 'handle', 0);
  const [param] = Object.values(Reflect.getMetadata(ROUTE_ARGS_METADATA, Sample, 'handle') as Record<string, Param>);
  const context = { switchToHttp: () => ({ getRequest: () => ({ headers: {}, ...request }) }) };
  return param?.factory(undefined, context as ExecutionContext);
}

const account = { isAdmin: false } as Account;
const judgement = { found: [{ record: 'an organization' }, { record: 'a manager' }] } as unknown as Judgement;

describe('a handler gets', () => {
  it('who asks', () => expect(argument(Caller, { account })).toBe(account));

  it('the record that the path names last, and the one before', () => {
    expect(argument(Target, { judgement })).toBe('a manager');
    expect(argument(Parent, { judgement })).toBe('an organization');
  });

  it('the only record that the path names', () => {
    expect(argument(Target, { judgement: { found: [{ record: 'a user' }] } })).toBe('a user');
  });

  it('nothing where the path names nothing', () => {
    for (const request of [{}, { judgement: { found: [] } }])
      expect([argument(Target, request), argument(Parent, request)]).toEqual([undefined, undefined]);
  });

  it('the record to be changed, with the account and If-Match', () => {
    const changing = argument(Changing, { account, judgement, headers: { 'if-match': '"x"' } }) as Change<never>;
    expect([changing.account, changing.record, changing.isConditional]).toEqual([account, 'a manager', true]);
  });

  it.each([{ account }, { judgement }, {}])('no record to be changed from a request with only %p', (request) => {
    expect(() => argument(Changing, request)).toThrow('no account or names no record');
  });
});

describe('an access rule in the documentation', () => {
  const documented = (rule: RuleName): unknown[] => {
    class Sample {
      @Allow(rule)
      handle(): void {}
    }
    const { handle } = Sample.prototype;
    return Reflect.getMetadataKeys(handle).map((key: string) => Reflect.getMetadata(key, handle) as unknown);
  };

  it('says who may', () => expect(documented('self')).toContainEqual({ 'x-access': 'That user, or an Admin.' }));

  it('asks for the bearer, but not of anyone', () => {
    expect(documented('self')).toContainEqual([{ bearer: [] }]);
    expect(documented('anyone')).not.toContainEqual([{ bearer: [] }]);
  });
});

describe('what stands outside the contract', () => {
  class Mixed {
    @Public()
    open(): void {}
    closed(): void {}
  }
  @Public()
  class Open {
    handle(): void {}
  }
  const contextOf = (controller: new () => object, handler: unknown): ExecutionContext =>
    ({ getHandler: () => handler, getClass: () => controller }) as unknown as ExecutionContext;

  it.each([
    ['a handler that says so', contextOf(Mixed, Mixed.prototype.open), true],
    ['a controller that says so', contextOf(Open, Open.prototype.handle), true],
    ['nothing else', contextOf(Mixed, Mixed.prototype.closed), false],
  ])('is %s, whenever it is asked', (_, context, expected) => {
    expect([isPublic(context), isPublic(context)]).toEqual([expected, expected]);
  });

  it('is looked up once a handler', () => {
    const looked = jest.fn(() => Open);
    const context = { getHandler: () => Open.prototype.handle.bind(null), getClass: looked };
    const handler = context.getHandler();
    const same = { ...context, getHandler: () => handler } as unknown as ExecutionContext;
    expect([isPublic(same), isPublic(same), looked.mock.calls.length]).toEqual([true, true, 1]);
  });
});
