import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import * as argon2 from '@node-rs/argon2';
import { DECOY, isOutdated, Passwords } from './passwords';

// Its functions can be spied on in a copy only.
jest.mock('@node-rs/argon2', () => ({ __esModule: true, ...jest.requireActual<typeof argon2>('@node-rs/argon2') }));

const ANYBODY = { ip: '192.0.2.1', isKnown: false };

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
    expect([stored, DECOY].map(isOutdated)).toEqual([false, false]);
    expect(isOutdated('$argon2id$v=19$m=4096,t=1,p=1$c29tZXNhbHQ$aGFzaA')).toBe(true);
    const verify = jest.spyOn(argon2, 'verify').mockResolvedValue(true);
    expect(await passwords.matches('a long-winded passphrase', undefined, ANYBODY)).toBe(false);
    expect(verify.mock.calls).toEqual([[DECOY, 'a long-winded passphrase']]);
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

  /** Keeps all cores busy that hashes may use, each for another address. */
  const fill = (): void => {
    for (let index = 0; index < AT_ONCE; index += 1)
      void passwords.hash('first', { ip: `198.51.100.${index}`, isKnown: true });
    started = [];
  };
  const isRejected = (hashing: Promise<unknown>): Promise<boolean> =>
    Promise.race([hashing.catch(({ code }: { code: number }) => code), setImmediate()]).then((code) => code === 1903);

  it('runs one per core but one, hashes and comparisons together', async () => {
    fill();
    void passwords.matches('second', DECOY, ANYBODY);
    expect(started).toEqual([]);
    ends[0]?.();
    await setImmediate();
    expect(started).toEqual(['second']);
  });

  it('has 50 places, five of them for one address (an IPv6 /64)', async () => {
    fill();
    for (let index = 0; index < 50; index += 1) {
      const ip = `2001:db8:1:${Math.floor(index / 5)}::${index % 5}`;
      const next = `2001:db8:1:${Math.floor(index / 5)}::ffff`;
      expect(await isRejected(passwords.hash('x', { ip, isKnown: false }))).toBe(false);
      if (index % 5 === 4) expect(await isRejected(passwords.hash('x', { ip: next, isKnown: false }))).toBe(true);
    }
    expect(await isRejected(passwords.hash('x', ANYBODY))).toBe(true);
  });

  it('lets those who are known go first', async () => {
    fill();
    void passwords.hash('stranger', ANYBODY);
    void passwords.hash('known', { ip: '192.0.2.2', isKnown: true });
    ends[0]?.();
    await setImmediate();
    expect(started).toEqual(['known']);
  });
});
