import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import * as argon2 from '@node-rs/argon2';
import { Types } from 'mongoose';
import { HashedFor, isOutdated, Passwords } from './passwords';

// Its functions can be spied on in a copy only.
jest.mock('@node-rs/argon2', () => ({ __esModule: true, ...jest.requireActual<typeof argon2>('@node-rs/argon2') }));

const ANYBODY = { ip: '192.0.2.1' };

describe('passwords', () => {
  const passwords = new Passwords();

  it('match their own hash only, to the last character, and equal ones have different hashes', async () => {
    const password = `a long-winded passphrase ${'x'.repeat(102)}a`;
    const stored = await passwords.hash(password, ANYBODY);
    expect(await passwords.matches(password, stored, ANYBODY)).toBe(true);
    expect(await passwords.matches(`${password.slice(0, -1)}b`, stored, ANYBODY)).toBe(false);
    expect(await passwords.hash(password, ANYBODY)).not.toBe(stored);
  });

  it('are hashed with the current parameters, those of unknown accounts compared with such a hash', async () => {
    const stored = await passwords.hash('a long-winded passphrase', ANYBODY);
    expect(isOutdated(stored)).toBe(false);
    expect(isOutdated('$argon2id$v=19$m=4096,t=1,p=1$c29tZXNhbHQ$aGFzaA')).toBe(true);
    const verify = jest.spyOn(argon2, 'verify').mockResolvedValue(true);
    expect(await passwords.matches('a long-winded passphrase', undefined, ANYBODY)).toBe(false);
    const [[hash, password]] = verify.mock.calls as [[string, string]];
    expect([isOutdated(hash), password]).toEqual([false, 'a long-winded passphrase']);
    verify.mockRestore();
  });
});

describe('the queue of hashes', () => {
  const AT_ONCE = Math.max(availableParallelism() - 1, 1);
  let started: string[];
  let ends: (() => void)[];
  let passwords: Passwords;
  beforeEach(() => {
    started = [];
    ends = [];
    passwords = new Passwords();
    for (const name of ['hash', 'verify'] as const)
      jest.spyOn(argon2, name).mockImplementation((...given: unknown[]) => {
        started.push(String(given[name === 'hash' ? 0 : 1]));
        return new Promise<never>((resolve) => ends.push(() => resolve(true as never)));
      });
  });
  afterEach(() => jest.restoreAllMocks());

  /** Keeps all cores busy that hashes may use, each for another account. */
  const fill = (): void => {
    for (let index = 0; index < AT_ONCE; index += 1) void passwords.hash('first', { account: new Types.ObjectId() });
    started = [];
  };
  const isRejected = (hashing: Promise<unknown>): Promise<boolean> =>
    Promise.race([hashing.catch(({ code }: { code: number }) => code), setImmediate()]).then((code) => code === 1903);

  it('runs one per core but one, hashes and comparisons together', async () => {
    fill();
    void passwords.matches('second', 'hash', ANYBODY);
    expect(started).toEqual([]);
    ends[0]?.();
    await setImmediate();
    expect(started).toEqual(['second']);
  });

  it('has 100 places, 50 of them for one account, five for one address (an IPv6 /64)', async () => {
    fill();
    const [account, ip] = [new Types.ObjectId(), '2001:db8:1::1'];
    const rejected = async (times: number, hashedFor: HashedFor): Promise<number> => {
      const all = Array.from({ length: times }, () => isRejected(passwords.hash('x', hashedFor)));
      return (await Promise.all(all)).filter(Boolean).length;
    };
    expect(await rejected(51, { account, ip })).toBe(1);
    expect(await rejected(6, { ip })).toBe(1);
    expect(await rejected(1, { ip: '2001:db8:1::2' })).toBe(1);
    const addresses = Array.from({ length: 45 }, (_, index) => `192.0.2.${index % 9}`);
    const others = addresses.map((address) => passwords.hash('x', { ip: address }));
    expect(await Promise.all(others.map(isRejected))).not.toContain(true);
    // The last one of an address that waits five times gives up its place.
    expect(await rejected(1, { ip: '198.51.100.1' })).toBe(0);
    expect((await Promise.all(others.map(isRejected))).filter(Boolean)).toHaveLength(1);
  });

  it('lets an account take the place of an address', async () => {
    fill();
    const strangers = Array.from({ length: 100 }, (_, index) => passwords.hash('stranger', { ip: `192.0.2.${index}` }));
    void passwords.hash('member', { account: new Types.ObjectId() });
    expect(await isRejected(strangers[99]!)).toBe(true);
  });
});
