import { setImmediate } from 'node:timers/promises';
import { IRateLimiterOptions, RateLimiterMemory } from 'rate-limiter-flexible';
import { settingsWith } from '../../../../test/support/settings';
import { ApiError } from '../../base/errors/api-error';
import { Limiters } from './limiters';
import { LoginLimits } from './login-limits';

const wrong = (): Promise<boolean> => setImmediate(false);
const right = (): Promise<boolean> => setImmediate(true);

/** Limits of so many attempts per minute. */
const limits = (perMinute: number, limiters = new Limiters()): LoginLimits =>
  new LoginLimits(settingsWith({ LOGIN_RATE_LIMIT_PER_MINUTE: String(perMinute) }), limiters);

/** The result of an attempt, or the code of its error. */
async function attempt(
  subject: LoginLimits,
  compare: () => Promise<boolean | undefined> = right,
  { account = 'mara', ip = '192.0.2.1', isKnown = false } = {},
): Promise<unknown> {
  return subject.attempt({ account, ip, isKnown }, compare).catch((error: unknown) => {
    if (error instanceof ApiError) return error.code;
    throw error;
  });
}

/** Wrong attempts for an account, each from another address. */
async function guessFromEverywhere(subject: LoginLimits, times: number): Promise<void> {
  for (let index = 0; index < times; index += 1) {
    expect(await attempt(subject, wrong, { ip: `198.51.100.${index}` })).toBe(false);
  }
}

describe('the login limits', () => {
  it('do not count a success, which clears the count of the pair', async () => {
    const subject = limits(2);
    for (let round = 0; round < 15; round += 1) {
      expect(await attempt(subject, wrong)).toBe(false);
      expect(await attempt(subject)).toBe(true);
    }
  });

  it('count one address for all accounts together', async () => {
    const subject = limits(1);
    for (let index = 0; index < 10; index += 1) await attempt(subject, wrong, { account: `name-${index}` });
    expect(await attempt(subject)).toBe(1700);
    expect(await attempt(subject, right, { ip: '192.0.2.2' })).toBe(true);
  });

  it('count one account from all addresses together, and a success does not reset that', async () => {
    const subject = limits(1);
    await guessFromEverywhere(subject, 9);
    expect(await attempt(subject, right, { ip: '192.0.2.99' })).toBe(true);
    expect(await attempt(subject, wrong, { ip: '192.0.2.97' })).toBe(false);
    expect(await attempt(subject, right, { ip: '192.0.2.98' })).toBe(1700);
  });

  it('do not lock an owner out of a known address, and still limit guesses from there', async () => {
    const subject = limits(1);
    await guessFromEverywhere(subject, 10);
    for (let index = 0; index < 10; index += 1) await attempt(subject, wrong, { account: `name-${index}` });
    expect(await attempt(subject, right, { isKnown: true })).toBe(true);
    expect(await attempt(subject, wrong, { isKnown: true })).toBe(false);
    expect(await attempt(subject, right, { isKnown: true })).toBe(1700);
  });

  it('allow an account 60 successes per minute, also at the same time, when few wrong ones are allowed', async () => {
    const subject = limits(2);
    const all = await Promise.all(Array.from({ length: 80 }, () => attempt(subject)));
    expect(all.filter((outcome) => outcome === true)).toHaveLength(60);
  });

  it('do not count an attempt that ends with an error', async () => {
    const subject = limits(1);
    const broken = () => Promise.reject(new Error('no database'));
    for (let index = 0; index < 15; index += 1) await expect(attempt(subject, broken)).rejects.toThrow('no database');
    expect(await attempt(subject)).toBe(true);
  });

  it('keep their counts where a comparison is neither right nor wrong', async () => {
    const subject = limits(2);
    const neither = (): Promise<undefined> => setImmediate(undefined);
    await attempt(subject, wrong);
    for (let times = 0; times <= 60; times += 1) expect(await attempt(subject, neither)).toBeUndefined();
    expect([await attempt(subject, wrong), await attempt(subject, neither)]).toEqual([false, 1700]);
  });

  it('let guesses at the same time get no further than others, on several instances that share a store', async () => {
    const shared = new Map<string, RateLimiterMemory>();
    const store = {
      create: ({ keyPrefix = '', ...options }: IRateLimiterOptions) => {
        const limiter = shared.get(keyPrefix) ?? new RateLimiterMemory({ keyPrefix, ...options });
        shared.set(keyPrefix, limiter);
        return limiter;
      },
    };
    const instances = Array.from({ length: 4 }, () => limits(5, new Limiters(store)));
    const compare = jest.fn(wrong);
    const all = instances.flatMap((subject) => Array.from({ length: 25 }, () => attempt(subject, compare)));
    const outcomes = await Promise.all(all);
    expect(compare).toHaveBeenCalledTimes(5);
    expect(outcomes.filter((code) => code === 1700)).toHaveLength(95);
  });
});
