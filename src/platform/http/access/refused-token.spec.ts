import { errors, type JWTPayload } from 'jose';
import { reasonOf, shown } from './refused-token';

const now = Math.floor(Date.now() / 1000);
beforeEach(() => jest.useFakeTimers({ now: now * 1000 }));
afterEach(() => jest.useRealTimers());

const failed = (payload: JWTPayload, claim: string): Error =>
  new errors.JWTClaimValidationFailed('unexpected claim', payload, claim);

// The reasons for tokens as a provider would issue them: oidc-tokens.spec.ts.
describe('the reason for which a token is refused', () => {
  it.each<[string, unknown]>([
    ['it expired 0 s ago', new errors.JWTExpired('expired', {})],
    ['nbf is soon', failed({ nbf: 'soon' } as never, 'nbf')],
    ['iat is 9', failed({ iat: 9 }, 'iat')],
    ['bad signature', new Error('bad signature')],
    ['x'.repeat(100), new Error('x'.repeat(200))],
    ['unknown', 'thrown'],
  ])('is "%s"', (reason, error) => {
    expect(reasonOf(error, { alg: 'HS256', kid: 'k1' }, 'roster')).toBe(reason);
  });
});

it.each<[unknown, string]>([
  ['text', 'text'],
  [['one', 2, { three: 3 }], 'one and 2 and {"three":3}'],
  [undefined, 'missing'],
  [null, 'null'],
  ['a\nb\u00e9c\u007f ~', 'a?b?c? ~'],
  ['\u{1F6A2}'.repeat(101), '??'.repeat(100)],
])('A value of a token is shown as one short line of ASCII: %j', (value, expected) => {
  expect(shown(value)).toBe(expected);
});
