import { setTimeout as sleep } from 'node:timers/promises';
import { readSettings } from '../config/read-settings';
import { ApiError } from '../errors/api-error';
import { Counters } from './counters';
import { LOGIN_WIDENING, RateLimits } from './rate-limits';

function limits(env: NodeJS.ProcessEnv): RateLimits {
  const settings = readSettings(env);
  return new RateLimits(settings, new Counters(settings));
}

async function outcome(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

describe('RateLimits, requests', () => {
  it('lets as many through as the limit says, then answers 429 with the seconds left', async () => {
    const three = limits({ RATE_LIMIT_PER_MINUTE: '3' });
    for (let index = 0; index < 3; index += 1) await three.byAddress({ ip: '192.0.2.1' });
    await expect(three.byAddress({ ip: '192.0.2.1' })).rejects.toMatchObject({
      status: 429,
      code: 1700,
      headers: { 'Retry-After': expect.stringMatching(/^(59|60)$/) },
    });
    await three.byAddress({ ip: '192.0.2.2' });
  });

  it('counts accounts and addresses apart', async () => {
    const one = limits({ RATE_LIMIT_PER_MINUTE: '1' });
    await one.byAddress({ ip: '192.0.2.1' });
    await one.byAccount('a');
    await one.byAccount('b');
    expect(await outcome(one.byAccount('a'))).toBe(1700);
  });

  it('is off at 0', async () => {
    const off = limits({ RATE_LIMIT_PER_MINUTE: '0' });
    for (let index = 0; index < 100; index += 1) await off.byAccount('a');
  });
});

describe('RateLimits, logins', () => {
  const wrong = () => Promise.resolve(undefined);
  const right = () => Promise.resolve('account');

  async function fail(subject: RateLimits, times: number, login: string, ip: string): Promise<void> {
    for (let index = 0; index < times; index += 1) await subject.loginAttempt(login, ip, wrong);
  }

  it('answers 429 to the right password too once the failures are used up, without looking at it', async () => {
    const subject = limits({ LOGIN_RATE_LIMIT_PER_MINUTE: '3' });
    await fail(subject, 3, 'mara', '192.0.2.1');
    const verify = jest.fn(right);
    await expect(subject.loginAttempt('mara', '192.0.2.1', verify)).rejects.toMatchObject({
      code: 1700,
      headers: { 'Retry-After': expect.stringMatching(/^(59|60)$/) },
    });
    expect(verify).not.toHaveBeenCalled();
  });

  it('counts an account name without regard to case', async () => {
    const subject = limits({ LOGIN_RATE_LIMIT_PER_MINUTE: '2' });
    await fail(subject, 1, 'Mara', '192.0.2.1');
    await fail(subject, 1, 'mARA', '192.0.2.1');
    expect(await outcome(subject.loginAttempt('mara', '192.0.2.1', right))).toBe(1700);
  });

  it('leaves other names and other addresses alone', async () => {
    const subject = limits({ LOGIN_RATE_LIMIT_PER_MINUTE: '2' });
    await fail(subject, 2, 'mara', '192.0.2.1');
    expect(await subject.loginAttempt('mara', '192.0.2.2', right)).toBe('account');
    expect(await subject.loginAttempt('noor', '192.0.2.1', right)).toBe('account');
  });

  it('never counts a success, and clears the count with it', async () => {
    const subject = limits({ LOGIN_RATE_LIMIT_PER_MINUTE: '2' });
    for (let round = 0; round < 5; round += 1) {
      await fail(subject, 1, 'mara', '192.0.2.1');
      expect(await subject.loginAttempt('mara', '192.0.2.1', right)).toBe('account');
    }
  });

  it('limits one address over all names', async () => {
    const subject = limits({ LOGIN_RATE_LIMIT_PER_MINUTE: '1' });
    for (let index = 0; index < LOGIN_WIDENING; index += 1) await fail(subject, 1, `name-${index}`, '192.0.2.1');
    expect(await outcome(subject.loginAttempt('mara', '192.0.2.1', right))).toBe(1700);
    expect(await subject.loginAttempt('mara', '192.0.2.2', right)).toBe('account');
  });

  it('limits one name over all addresses, and a success does not reset that', async () => {
    const subject = limits({ LOGIN_RATE_LIMIT_PER_MINUTE: '1' });
    for (let index = 0; index < LOGIN_WIDENING; index += 1) {
      if (index === 5) await subject.loginAttempt('mara', '192.0.2.99', right);
      await fail(subject, 1, 'mara', `192.0.2.${index}`);
    }
    expect(await outcome(subject.loginAttempt('mara', '192.0.2.98', right))).toBe(1700);
  });

  it('lets a burst of guesses no further than guesses one by one', async () => {
    const subject = limits({ LOGIN_RATE_LIMIT_PER_MINUTE: '5' });
    let asked = 0;
    const slowlyWrong = async () => {
      asked += 1;
      await sleep(Math.random() * 5);
      return undefined;
    };
    const all = Array.from({ length: 100 }, () => outcome(subject.loginAttempt('mara', '192.0.2.1', slowlyWrong)));
    const answers = await Promise.all(all);
    expect(asked).toBe(5);
    expect(answers.filter((answer) => answer === 1700)).toHaveLength(95);
  });

  it('lets any number of right logins in at once', async () => {
    const subject = limits({ LOGIN_RATE_LIMIT_PER_MINUTE: '2' });
    const slowlyRight = () => sleep(1, 'account');
    const all = Array.from({ length: 60 }, () => subject.loginAttempt('mara', '192.0.2.1', slowlyRight));
    expect(new Set(await Promise.all(all))).toEqual(new Set(['account']));
  });

  it('counts an attempt that could not be judged neither way', async () => {
    const subject = limits({ LOGIN_RATE_LIMIT_PER_MINUTE: '1' });
    const broken = () => Promise.reject(new Error('no database'));
    for (let index = 0; index < 3; index += 1) {
      await expect(subject.loginAttempt('mara', '192.0.2.1', broken)).rejects.toThrow('no database');
    }
    expect(await subject.loginAttempt('mara', '192.0.2.1', right)).toBe('account');
  });

  it('is off at 0, the wider limits with it', async () => {
    const subject = limits({ LOGIN_RATE_LIMIT_PER_MINUTE: '0' });
    await fail(subject, 200, 'mara', '192.0.2.1');
    expect(await subject.loginAttempt('mara', '192.0.2.1', right)).toBe('account');
  });
});
