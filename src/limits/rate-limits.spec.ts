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

async function outcome(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error: unknown) => {
    if (error instanceof ApiError) return error.code;
    throw error;
  });
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

  async function fail(subject: RateLimits, times: number, login: string, ip: string): Promise<void> {
    for (let index = 0; index < times; index += 1) await subject.loginAttempt(login, ip, wrong);
  }

  it('return 429 even for the right password after too many wrong ones, without checking it', async () => {
    const subject = limits({ LOGIN_RATE_LIMIT_PER_MINUTE: '3' });
    await fail(subject, 3, 'mara', '192.0.2.1');
    const verify = jest.fn(right);
    await expect(subject.loginAttempt('mara', '192.0.2.1', verify)).rejects.toMatchObject({
      code: 1700,
      headers: { 'Retry-After': expect.stringMatching(/^(59|60)$/) },
    });
    expect(verify).not.toHaveBeenCalled();
  });

  it('count an account name without regard to case, at one address, and no other name', async () => {
    const subject = limits({ LOGIN_RATE_LIMIT_PER_MINUTE: '2' });
    await fail(subject, 1, 'Mara', '192.0.2.1');
    await fail(subject, 1, 'mARA', '192.0.2.1');
    expect(await outcome(subject.loginAttempt('mara', '192.0.2.1', right))).toBe(1700);
    expect(await subject.loginAttempt('mara', '192.0.2.2', right)).toBe('account');
    expect(await subject.loginAttempt('noor', '192.0.2.1', right)).toBe('account');
  });

  it('do not count a success, which clears the count of the pair', async () => {
    const subject = limits({ LOGIN_RATE_LIMIT_PER_MINUTE: '2' });
    for (let round = 0; round < 5; round += 1) {
      await fail(subject, 1, 'mara', '192.0.2.1');
      expect(await subject.loginAttempt('mara', '192.0.2.1', right)).toBe('account');
    }
  });

  it('limit one address for all names together', async () => {
    const subject = limits({ LOGIN_RATE_LIMIT_PER_MINUTE: '1' });
    for (let index = 0; index < LOGIN_WIDENING; index += 1) await fail(subject, 1, `name-${index}`, '192.0.2.1');
    expect(await outcome(subject.loginAttempt('mara', '192.0.2.1', right))).toBe(1700);
    expect(await subject.loginAttempt('mara', '192.0.2.2', right)).toBe('account');
  });

  it('limit one name from all addresses together, and a success does not reset that', async () => {
    const subject = limits({ LOGIN_RATE_LIMIT_PER_MINUTE: '1' });
    for (let index = 0; index < LOGIN_WIDENING; index += 1) {
      if (index === 5) await subject.loginAttempt('mara', '192.0.2.99', right);
      await fail(subject, 1, 'mara', `192.0.2.${index}`);
    }
    expect(await outcome(subject.loginAttempt('mara', '192.0.2.98', right))).toBe(1700);
  });

  it('let parallel guesses get no further than sequential ones', async () => {
    const subject = limits({ LOGIN_RATE_LIMIT_PER_MINUTE: '5' });
    let checked = 0;
    const slowlyWrong = (): Promise<undefined> => {
      checked += 1;
      return setImmediate(undefined);
    };
    const all = Array.from({ length: 100 }, () => outcome(subject.loginAttempt('mara', '192.0.2.1', slowlyWrong)));
    const outcomes = await Promise.all(all);
    expect(checked).toBe(5);
    expect(outcomes.filter((code) => code === 1700)).toHaveLength(95);
  });

  it('let any number of parallel logins with the right password succeed', async () => {
    const subject = limits({ LOGIN_RATE_LIMIT_PER_MINUTE: '2' });
    const slowlyRight = () => setImmediate('account');
    const all = Array.from({ length: 60 }, () => subject.loginAttempt('mara', '192.0.2.1', slowlyRight));
    expect(new Set(await Promise.all(all))).toEqual(new Set(['account']));
  });

  it('do not count an attempt that ends with an error', async () => {
    const subject = limits({ LOGIN_RATE_LIMIT_PER_MINUTE: '1' });
    const broken = () => Promise.reject(new Error('no database'));
    for (let index = 0; index < 3; index += 1) {
      await expect(subject.loginAttempt('mara', '192.0.2.1', broken)).rejects.toThrow('no database');
    }
    expect(await subject.loginAttempt('mara', '192.0.2.1', right)).toBe('account');
  });

  it('count in a shared store, also while it is unavailable', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const stored = new RateLimiterMemory({ points: 0, duration: 60 });
    const store = { create: () => stored };
    const subject = new RateLimits(settingsWith({ LOGIN_RATE_LIMIT_PER_MINUTE: '2' }), new Limiters(store));
    await fail(subject, 1, 'mara', '192.0.2.1');
    expect(await subject.loginAttempt('mara', '192.0.2.1', right)).toBe('account');
    for (const operation of ['get', 'penalty'] as const)
      jest.spyOn(stored, operation).mockRejectedValue(new Error('connection refused'));
    await fail(subject, 2, 'mara', '192.0.2.1');
    expect(await outcome(subject.loginAttempt('mara', '192.0.2.1', right))).toBe(1700);
    expect(log).toHaveBeenCalledTimes(1);
    log.mockRestore();
  });

  it('are off at 0, including the wider ones', async () => {
    const subject = limits({ LOGIN_RATE_LIMIT_PER_MINUTE: '0' });
    await fail(subject, 200, 'mara', '192.0.2.1');
    expect(await subject.loginAttempt('mara', '192.0.2.1', right)).toBe('account');
  });
});
