import type { FieldErrorName } from '../../../src/platform/base/errors/field-error';
import type { User } from '../../../src/registry/users/user.schema';
import { AUDIENCE, forge, newKey, OpenIdProvider } from '../../platform/http/identity-provider/provider';
import type { ApiResponse, Client } from '../../support/client';
import { type Expected, expectError, expectFieldErrors, expectOutcome } from '../../support/expect-error';
import { type Service, startService } from '../../support/service';
import { keysOf } from './keys';

const DAY = 24 * 60 * 60;
const nowInSeconds = (): number => Math.floor(Date.now() / 1000);
const inDays = (days: number): string => new Date((nowInSeconds() + days * DAY) * 1000).toISOString();
const dayIn = (days: number): string => inDays(days).slice(0, 10);

const signingKey = newKey('rsa');
let provider: OpenIdProvider;
let service: Service;
beforeAll(async () => {
  provider = await OpenIdProvider.start([signingKey]);
  service = await startService({ OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: AUDIENCE });
});
afterAll(async () => {
  await service.stop();
  await provider.stop();
});

/** A User who has no password and comes with a token of the identity provider. */
async function federated(fields: object = {}, claims: object = {}): Promise<Client> {
  const account = await service.account(fields);
  const $set = { passwordHash: null, externalId: account.id };
  await service.model<User>('User').updateOne({ _id: account.id }, { $set });
  return account.with(forge(provider.issuer, signingKey, { sub: account.id, ...claims }));
}

const post = (by: Client, expiresAt?: string | null, owner = by): Promise<ApiResponse> =>
  by.post(keysOf(owner), { name: 'Import', scope: 'write', expiresAt });

describe('a caller without a password', () => {
  it.each([
    ['in 30 days', () => inDays(30)],
    ['on the day in 30 days', () => dayIn(30)],
  ])('makes a key that expires %s', async (_title, expiresAt) => {
    const sent = expiresAt();
    const { body } = await post(await federated(), sent);
    expect(body.data).toMatchObject({ expiresAt: sent });
  });

  it.each<[string, FieldErrorName, () => string | null | undefined]>([
    ['never, because the date is left out', 'missing', () => undefined],
    ['never, because the date is null', 'missing', () => null],
    ['after 30 days', 'outOfRange', () => inDays(30.001)],
    ['on the day in 31 days', 'outOfRange', () => dayIn(31)],
    ['yesterday', 'outOfRange', () => dayIn(-1)],
  ])('makes no key that expires %s, an Admin not for others either', async (_title, error, expiresAt) => {
    const [user, admin] = [await federated(), await federated({ roles: ['admin'] })];
    expectFieldErrors(await post(user, expiresAt()), [error, 'expiresAt']);
    for (const owner of [admin, user, await service.account()])
      expectFieldErrors(await post(admin, expiresAt(), owner), [error, 'expiresAt']);
  });

  it.each<[string, Expected, () => unknown]>([
    ['is not in their token', 201, () => undefined],
    ['is almost an hour ago', 201, () => nowInSeconds() - 3500],
    ['is more than an hour ago', 'forbidden', () => nowInSeconds() - 3601],
    ['is years ahead', 'forbidden', () => Date.now()],
    ['is a text', 'forbidden', () => String(nowInSeconds())],
  ])('gets an outcome by auth_time: if it %s, %s', async (_title, outcome, authTime) => {
    const claims = { auth_time: authTime() };
    const [user, admin] = [await federated({}, claims), await federated({ roles: ['admin'] }, claims)];
    for (const [by, owner] of [
      [user, user],
      [admin, admin],
      [admin, user],
    ] as const)
      expectOutcome(await post(by, dayIn(1), owner), outcome);
    if (outcome === 'forbidden') {
      const message =
        'Only a caller who logged in within the last hour may create an API key without a password: log in again.';
      expectError(await post(user), 'forbidden', message);
      expectOutcome(await user.get(keysOf(user)), 200);
    }
  });
});

it('a caller with a password makes keys with it, also by a token of the identity provider and with any auth_time', async () => {
  const account = await service.account();
  await service.model<User>('User').updateOne({ _id: account.id }, { $set: { externalId: account.id } });
  const by = account.with(forge(provider.issuer, signingKey, { sub: account.id, auth_time: 0 }));
  expectFieldErrors(await post(by), ['missing', 'currentPassword']);
  const { password: currentPassword } = account;
  expectOutcome(await by.post(keysOf(by), { name: 'Import', scope: 'write', currentPassword }), 201);
});
