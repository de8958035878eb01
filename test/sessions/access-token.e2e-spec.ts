import { createHmac } from 'node:crypto';
import { decode } from 'jsonwebtoken';
import { User } from '../../src/users/user.schema';
import { ApiResponse, Client } from '../support/client';
import { expectFailure } from '../support/expect-error';
import { Service, startService } from '../support/service';

const SECRET = 'a secret of the tests which keeps no one out';

let service: Service;
let account: Client;
beforeAll(async () => {
  service = await startService();
  account = await service.registered();
});
afterAll(() => service.stop());

const ask = (authorization: string | undefined): Promise<ApiResponse> =>
  service.nobody.get('/sessions', { authorization });
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token like those of the service but for what is given. */
function forged(header: object, claims: object, secret = SECRET): string {
  const [given = '', body = ''] = account.token.split('.').map((text) => Buffer.from(text, 'base64url').toString());
  const signed = [part({ ...JSON.parse(given), ...header }), part({ ...JSON.parse(body), ...claims })].join('.');
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

describe('the access token', () => {
  it('is required, as Bearer', async () => {
    for (const authorization of [undefined, '', 'Basic eDp5', 'Bearerx', account.token]) {
      const answer = await ask(authorization);
      expectFailure(answer, 'noCredentials');
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
    }
  });

  it('is taken with the scheme in any case', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect((await ask(`${scheme} ${account.token}`)).status).toBe(200);
  });

  it('is accepted when it is forged correctly, so the rejections below prove something', async () => {
    expect((await ask(`Bearer ${forged({}, {})}`)).status).toBe(200);
  });

  it.each([
    ['nonsense', () => 'x'],
    ['nothing', () => ''],
    ['another signature', () => forged({}, {}, 'another secret of the same length, or so')],
    ['no algorithm', () => `${part({ alg: 'none', typ: 'at+jwt' })}.${account.token.split('.')[1]}.`],
    ['another algorithm', () => forged({ alg: 'HS512' }, {})],
    ['another type', () => forged({ typ: 'JWT' }, {})],
    ['another key', () => forged({ kid: 'unknown' }, {})],
    ['no key', () => forged({ kid: undefined }, {})],
    ['another issuer', () => forged({}, { iss: 'x' })],
    ['another audience', () => forged({}, { aud: 'x' })],
    ['no end', () => forged({}, { exp: undefined })],
    ['an end that is past', () => forged({}, { exp: Math.floor(Date.now() / 1000) - 1 })],
    ['no session', () => forged({}, { sid: undefined })],
    ['no user', () => forged({}, { sub: undefined })],
    ['a refresh token', () => account.refreshToken],
  ])('is not usable with %s', async (_, token) => expectFailure(await ask(`Bearer ${token()}`), 'tokenUnusable'));

  it.each([
    ['another user’s id', () => ({ sub: service.admin.id })],
    ['an unknown session', () => ({ sid: 'f'.repeat(24) })],
    ['an unknown user', () => ({ sub: 'f'.repeat(24) })],
  ])('belongs to no account with %s', async (_, claims) => {
    expectFailure(await ask(`Bearer ${forged({}, claims())}`), 'accountGone');
  });

  it('belongs to no account once the session has expired', async () => {
    const other = await service.account();
    const past = new Date(Date.now() - 1);
    await service.model<User>('User').updateOne({ _id: other.id }, { $set: { 'sessions.0.expiresAt': past } });
    expectFailure(await other.get('/sessions'), 'accountGone');
  });

  it('lives as long as ACCESS_TOKEN_TTL says', async () => {
    const short = await startService({ ACCESS_TOKEN_TTL: '2' });
    const issued = decode(short.admin.token, { json: true }) as { iat: number; exp: number };
    expect(issued.exp - issued.iat).toBe(2);
    await short.stop();
  });
});
