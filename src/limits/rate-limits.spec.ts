import { setImmediate } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { settingsWith } from '../../test/support/settings';
import { ApiError } from '../errors/api-error';
import { Limiters } from './limiters';
import { LOGIN_WIDENING, RateLimits } from './rate-limits';

function limits(env: NodeJS.ProcessEnv): RateLimits {
  return new RateLimits(settingsWith(env), new Limiters());
}

/** The code of the error, or what the work returns. */
async function outcome(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error: ApiError) => error.code ?? error);
}

describe('the request limits', () => {
  afterEach(() => jest.useRealTimers());

  it('start again after a minute, and keep nothing of an address', async () => {
    jest.useFakeTimers();
    const one = limits({ RATE_LIMIT_PER_MINUTE: '1' });
    await one.byAddress('192.0.2.1');
    jest.advanceTimersByTime(59_000);
    await expect(one.byAddress('192.0.2.1')).rejects.toMatchObject({ headers: { 'Retry-After': '1' } });
    jest.advanceTimersByTime(1_000);
    expect(jest.getTimerCount()).toBe(0);
    await one.byAddress('192.0.2.1');
  });

  it('are off at 0', async () => {
    const off = limits({ RATE_LIMIT_PER_MINUTE: '0' });
    const all = Array.from({ length: 10 }, () => [off.byAccount('a'), off.byAddress('192.0.2.1')]).flat();
    await expect(Promise.all(all)).resolves.toEqual(all.map(() => undefined));
  });
});

describe('the login limits', () => {
  const wrong = () => Promise.resolve(undefined);
  const right = () => Promise.resolve('account');
  const loginLimits = (limit: number): RateLimits => limits({ LOGIN_RATE_LIMIT_PER_MINUTE: String(limit) });
  /** Logs in with the right password; an address is given by its last part. */
  const logIn = (subject: RateLimits, login: string, last: number): Promise<unknown> =>
    outcome(subject.loginAttempt(login, `192.0.2.${last}`, right));

  async function fail(subject: RateLimits, times: number, login: string, last: number): Promise<void> {
    for (let index = 0; index < times; index += 1) await subject.loginAttempt(login, `192.0.2.${last}`, wrong);
  }

  it('return 429 even for the right password after too many wrong ones, without checking it', async () => {
    const subject = loginLimits(3);
    await fail(subject, 3, 'mara', 1);
    const verify = jest.fn(right);
    const headers = { 'Retry-After': expect.stringMatching(/^(59|60)$/) };
    await expect(subject.loginAttempt('mara', '192.0.2.1', verify)).rejects.toMatchObject({ code: 1700, headers });
    expect(verify).not.toHaveBeenCalled();
  });

  it('count an account name without regard to case, at one address, and no other name', async () => {
    const subject = loginLimits(2);
    for (const name of ['Mara', 'mARA']) await fail(subject, 1, name, 1);
    expect(await logIn(subject, 'mara', 1)).toBe(1700);
    expect([await logIn(subject, 'mara', 2), await logIn(subject, 'noor', 1)]).toEqual(['account', 'account']);
  });

  it('do not count a success, which clears the count of the pair', async () => {
    const subject = loginLimits(2);
    for (let round = 0; round < 5; round += 1) {
      await fail(subject, 1, 'mara', 1);
      expect(await logIn(subject, 'mara', 1)).toBe('account');
    }
  });

  it('limit one address for all names together', async () => {
    const subject = loginLimits(1);
    for (let index = 0; index < LOGIN_WIDENING; index += 1) await fail(subject, 1, `name-${index}`, 1);
    expect([await logIn(subject, 'mara', 1), await logIn(subject, 'mara', 2)]).toEqual([1700, 'account']);
  });

  it('limit one name from all addresses together, and a success does not reset that', async () => {
    const subject = loginLimits(1);
    for (let index = 0; index < LOGIN_WIDENING; index += 1) {
      if (index === 5) await logIn(subject, 'mara', 99);
      await fail(subject, 1, 'mara', index);
    }
    expect(await logIn(subject, 'mara', 98)).toBe(1700);
  });

  it('let parallel guesses get no further than sequential ones', async () => {
    const subject = loginLimits(5);
    const verify = jest.fn(() => setImmediate(undefined));
    const all = Array.from({ length: 100 }, () => outcome(subject.loginAttempt('mara', '192.0.2.1', verify)));
    expect((await Promise.all(all)).filter((code) => code === 1700)).toHaveLength(95);
    expect(verify).toHaveBeenCalledTimes(5);
  });

  it('let any number of parallel logins with the right password succeed', async () => {
    const subject = loginLimits(2);
    const slowlyRight = () => setImmediate('account');
    const all = Array.from({ length: 60 }, () => subject.loginAttempt('mara', '192.0.2.1', slowlyRight));
    expect(new Set(await Promise.all(all))).toEqual(new Set(['account']));
  });

  it('do not count an attempt that ends with an error', async () => {
    const subject = loginLimits(1);
    const broken = () => Promise.reject(new Error('no database'));
    for (let index = 0; index < 3; index += 1)
      await expect(subject.loginAttempt('mara', '192.0.2.1', broken)).rejects.toThrow('no database');
    expect(await logIn(subject, 'mara', 1)).toBe('account');
  });

  it('count in a shared store, also while it is unavailable', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const stored = new RateLimiterMemory({ points: 0, duration: 60 });
    const store = { create: () => stored };
    const subject = new RateLimits(settingsWith({ LOGIN_RATE_LIMIT_PER_MINUTE: '2' }), new Limiters(store));
    await fail(subject, 1, 'mara', 1);
    expect(await logIn(subject, 'mara', 1)).toBe('account');
    for (const operation of ['get', 'penalty'] as const)
      jest.spyOn(stored, operation).mockRejectedValue(new Error('connection refused'));
    await fail(subject, 2, 'mara', 1);
    expect(await logIn(subject, 'mara', 1)).toBe(1700);
    expect(log).toHaveBeenCalledTimes(1);
    log.mockRestore();
  });

  it('are off at 0, including the wider ones', async () => {
    const subject = loginLimits(0);
    await fail(subject, 200, 'mara', 1);
    expect(await logIn(subject, 'mara', 1)).toBe('account');
  });
});
