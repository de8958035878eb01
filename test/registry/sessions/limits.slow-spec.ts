import type { User } from '../../../src/registry/users/user.schema';
import type { ApiResponse, Client } from '../../support/client';
import { expectError, expectFieldErrors } from '../../support/expect-error';
import { startService, useService } from '../../support/service';

const LIMITS = { LOGIN_RATE_LIMIT_PER_MINUTE: '3' };
const FAILED = 'Too many failed logins. Try again later.';

const service = useService({ ...LIMITS, TRUST_PROXY: 'true' });
let owner: Client;
let home: string;
let addresses = 0;
// The others are copies, which have not logged in yet.
beforeAll(() => service.account());
beforeEach(async () => {
  owner = await service.account();
  home = elsewhere();
});

/** An address that has sent no request yet. */
const elsewhere = (): string => `198.51.${Math.floor((addresses += 1) / 200)}.${addresses % 200}`;
/** Sends a PUT of the owner, with a new password unless one is given. */
const put = (fields: object, client = owner): Promise<ApiResponse> => {
  const payload = owner.userBody({ password: 'another passphrase', ...fields });
  return client.send({ method: 'PUT', path: `/users/${owner.id}`, payload, remoteAddress: home });
};
const stored = async (): Promise<User> => (await service.stored<User>('User', owner.id))!;

function login(remoteAddress: string, fields: object = {}, headers = {}, at = service): Promise<ApiResponse> {
  const named = 'email' in fields ? {} : { username: owner.user.username };
  const payload = { ...named, password: owner.password, ...fields };
  return at.nobody.send({ method: 'POST', path: '/sessions', payload, remoteAddress, headers });
}

async function fail(times: number, addressOf: () => string, fields: object = {}): Promise<void> {
  for (let count = 0; count < times; count += 1)
    expectError(await login(addressOf(), { password: 'wrong', ...fields }), 'wrongLogin');
}

describe('failed logins', () => {
  it('by username, by e-mail address and by currentPassword count for the same account', async () => {
    const { email, username } = owner.user;
    const currentPassword = owner.password;
    await fail(1, () => home, { username: username.toUpperCase() });
    await fail(1, () => home, { email: email.toUpperCase() });
    expectFieldErrors(await put({ currentPassword: 'wrong' }), ['wrongCurrentPassword', 'currentPassword']);
    for (const response of [await login(home), await login(home, { email }), await put({ currentPassword })])
      expectError(response, 'tooManyRequests', FAILED);
  });

  it('are PUTs of a new password without the current one, and none of the present password', async () => {
    const { password } = owner;
    for (let count = 0; count < 4; count += 1) expect((await put({ password, currentPassword: 'x' })).status).toBe(200);
    expectFieldErrors(await put({}), ['missing', 'currentPassword']);
    await fail(2, () => home);
    expectError(await put({ password }), 'tooManyRequests', FAILED);
    expect((await put({ password }, service.admin)).status).toBe(200);
  });

  it('through a proxy that writes ports count for the address, and lock nobody else out', async () => {
    const through = (forwarded: string, fields?: object) => login(home, fields, { 'x-forwarded-for': forwarded });
    for (let count = 0; count < 3; count += 1)
      expectError(await through(`203.0.113.7:${count + 50_000}`, { password: 'wrong' }), 'wrongLogin');
    expectError(await through('203.0.113.7:443'), 'tooManyRequests', FAILED);
    for (const other of ['203.0.113.8:443', '[2001:db8::7]:443']) expect((await through(other)).status).toBe(201);
  });

  it('are POSTs of an API key with a wrong password', async () => {
    const post = (currentPassword: string): Promise<ApiResponse> => {
      const payload = { name: 'Import', scope: 'read', currentPassword };
      return owner.send({ method: 'POST', path: `/users/${owner.id}/api-keys`, payload, remoteAddress: home });
    };
    for (let count = 0; count < 3; count += 1)
      expectFieldErrors(await post('wrong'), ['wrongCurrentPassword', 'currentPassword']);
    for (const response of [await post(owner.password), await login(home)])
      expectError(response, 'tooManyRequests', FAILED);
  });

  it.each(['username', 'email'] as const)(
    'by a text as %s do not count for the same text as the other name',
    async (field) => {
      const other = field === 'username' ? 'email' : 'username';
      // The same for a name that a User has and for one that nobody has: otherwise the limit would tell them apart.
      for (const name of [owner.user[field], `x${owner.user[field]}`]) {
        await fail(3, () => home, { username: undefined, [field]: name });
        expectError(await login(home, { username: undefined, [field]: name }), 'tooManyRequests', FAILED);
        await fail(1, () => home, { username: undefined, [other]: name });
      }
    },
  );
});

describe('the addresses that an account is known to use', () => {
  const DAY_MS = 24 * 3600 * 1000;
  /** Tells whether the owner can log in from there during an attack from everywhere. */
  const isKnown = async (address: string, at = service): Promise<boolean> => {
    await fail(30, elsewhere);
    return (await login(address, {}, {}, at)).status === 201;
  };

  it('are stored as hashes, change no revision and are in no response', async () => {
    const before = await stored();
    const { body } = await login(home);
    const after = await stored();
    expect(after).toEqual({ ...before, sessions: after.sessions, knownAddresses: [expect.anything()] });
    expect(after.knownAddresses).toEqual([
      { hash: expect.stringMatching(/^[\w-]{43}$/), lastLoginAt: expect.any(Date) },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/known|198\.51/i);
    expect((await owner.get(`/users/${owner.id}`)).body).toEqual(owner.user);
    owner = await service.account();
    await login(home);
    expect((await stored()).knownAddresses?.[0]?.hash).not.toBe(after.knownAddresses?.[0]?.hash);
  });

  it('are the last 20, each once', async () => {
    await login(home);
    for (let count = 0; count < 18; count += 1) await login(elsewhere());
    await login(home);
    for (let count = 0; count < 3; count += 1) await login('203.0.113.1');
    expect((await stored()).knownAddresses).toHaveLength(20);
    for (let count = 0; count < 3; count += 1) await login(elsewhere());
    expect((await stored()).knownAddresses).toHaveLength(20);
    expect(await isKnown(home)).toBe(true);
  });

  it.each([
    [29, true],
    [31, false],
  ])('are known %i days after the last login: %s', async (days, known) => {
    await login(home);
    const lastLoginAt = new Date(Date.now() - days * DAY_MS);
    await service
      .model<User>('User')
      .updateOne({ _id: owner.id }, { $set: { 'knownAddresses.0.lastLoginAt': lastLoginAt } });
    expect(await isKnown(home)).toBe(known);
  });

  it('are never those of a client without an address', async () => {
    expect((await login(home, {}, { 'x-forwarded-for': 'no address' })).status).toBe(201);
    expect((await stored()).knownAddresses).toEqual([]);
  });

  // The last one: passport knows one strategy per process, so the first service no longer accepts its tokens.
  it('stay known with a new JWT_SECRET while the old one is in use', async () => {
    await login(home);
    const env = { ...LIMITS, MONGODB_URI: service.databaseUri };
    for (const [known, JWT_SECRET] of [
      [true, `${'n'.repeat(32)},a secret of the tests which keeps no one out`],
      [false, 'o'.repeat(32)],
    ] as const) {
      const next = await startService({ ...env, JWT_SECRET });
      for (let count = 0; count < 30; count += 1) await login(elsewhere(), { password: 'wrong' }, {}, next);
      expect((await login(home, {}, {}, next)).status).toBe(known ? 201 : 429);
      await next.stop();
      await service.model<User>('User').updateOne({ _id: owner.id }, { $pop: { knownAddresses: 1 } });
    }
  });
});
