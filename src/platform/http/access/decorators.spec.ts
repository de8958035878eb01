import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import type { AccessRuleName } from './access-rules';
import {
  Allow,
  ALLOW,
  Caller,
  IfMatch,
  isPublic,
  Loaded,
  NO_API_KEY,
  Public,
  Registrant,
  Rights,
  WithoutTransaction,
} from './decorators';

/** What decorators have written about a method and its parameters. */
function metadataOf(decorator: MethodDecorator): Record<string, unknown> {
  class Houses {
    list(): void {}
  }
  const { list } = Houses.prototype;
  decorator(Houses.prototype, 'list', { value: list });
  return Object.fromEntries(Reflect.getMetadataKeys(list).map((key) => [String(key), Reflect.getMetadata(key, list)]));
}

/** The value of a parameter with this decorator, for a request. */
function valueOf(decorator: ParameterDecorator, request: object): unknown {
  class Houses {
    list(_value: unknown): void {}
  }
  decorator(Houses.prototype, 'list', 0);
  const [parameter] = Object.values(Reflect.getMetadata(ROUTE_ARGS_METADATA, Houses, 'list') as object) as [
    { factory(data: unknown, context: unknown): unknown; data: unknown },
  ];
  return parameter.factory(parameter.data, { switchToHttp: () => ({ getRequest: () => request }) });
}

describe('Allow', () => {
  const documented = (rule: AccessRuleName, apiKey = true): object => ({
    [ALLOW]: rule,
    [NO_API_KEY]: !apiKey,
    'swagger/apiExtension': { 'x-access': { rule, apiKey } },
  });
  const bearer = { 'swagger/apiSecurity': [{ bearer: [] }] };

  it('names the rule of an operation, for the guards and for the document', () => {
    expect(metadataOf(Allow('admin'))).toEqual({ ...documented('admin'), ...bearer });
    expect(metadataOf(Allow('admin', { apiKey: false }))).toEqual({ ...documented('admin', false), ...bearer });
  });

  it('documents no token for an operation that needs none', () => {
    expect(metadataOf(Allow('anyone'))).toEqual(documented('anyone'));
  });
});

it('A route is public if its handler or its controller is', () => {
  const marked = (...decorators: (ClassDecorator & MethodDecorator)[]): object => {
    const target = class {};
    for (const decorator of decorators) (decorator as ClassDecorator)(target);
    return target;
  };
  const isPublicWith = (handler: object, controller: object): boolean =>
    isPublic({ getHandler: () => handler, getClass: () => controller } as unknown as ExecutionContext);
  const [open, closed] = [marked(Public()), marked(WithoutTransaction('why'))];
  expect([isPublicWith(open, closed), isPublicWith(closed, open)]).toEqual([true, true]);
  expect(isPublicWith(closed, closed)).toBe(false);
});

describe('a parameter of a handler', () => {
  const [account, registrant, record] = [{ username: 'ada' }, { subject: 'ada' }, { revision: 1 }];
  const isAllowedBy = ({ who }: { who: string }): boolean => who === 'an Admin';
  const request = { access: { account, registrant, record, isAllowedBy }, headers: { 'if-match': '"a"' } };

  it.each<[string, ParameterDecorator, unknown]>([
    ['the caller', Caller(), account],
    ['the identity that registers', Registrant(), registrant],
    ['the record that the path names last', Loaded(), record],
    ['whether another rule allows the request', Rights('admin'), true],
    ['whether a rule allows it that does not', Rights('account'), false],
  ])('can be %s; outside the contract there is none', (_title, decorator, expected) => {
    expect(valueOf(decorator, request)).toBe(expected);
    expect(valueOf(decorator, { headers: {} })).toBeUndefined();
  });

  it('can be what the headers require of an ETag', () => {
    expect(valueOf(IfMatch(), request)).toMatchObject({ isGiven: true });
    expect(valueOf(IfMatch(), { headers: {} })).toMatchObject({ isGiven: false });
  });
});
