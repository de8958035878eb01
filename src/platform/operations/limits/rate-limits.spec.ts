import { settingsWith } from '../../../../test/support/settings';
import { Limiters } from './limiters';
import { RateLimits } from './rate-limits';

function limits(env: NodeJS.ProcessEnv): RateLimits {
  return new RateLimits(settingsWith(env), new Limiters());
}

describe('the request limits', () => {
  afterEach(() => jest.useRealTimers());

  it('start again after a minute, and keep nothing of an address', async () => {
    jest.useFakeTimers();
    const one = limits({ RATE_LIMIT_PER_MINUTE: '1' });
    await one.countRequest('192.0.2.1');
    jest.advanceTimersByTime(59_000);
    await expect(one.countRequest('192.0.2.1')).rejects.toMatchObject({ headers: { 'retry-after': '1' } });
    jest.advanceTimersByTime(1_000);
    expect(jest.getTimerCount()).toBe(0);
    await one.countRequest('192.0.2.1');
  });
});

describe('the registration limit', () => {
  afterEach(() => jest.useRealTimers());

  it('is one per address and hour', async () => {
    jest.useFakeTimers();
    const one = limits({ REGISTRATIONS_PER_HOUR: '1' });
    await one.countRegistration('192.0.2.1');
    await one.countRegistration('192.0.2.2');
    jest.advanceTimersByTime(3_599_000);
    await expect(one.countRegistration('192.0.2.1')).rejects.toMatchObject({
      code: 1700,
      headers: { 'retry-after': '1' },
    });
    jest.advanceTimersByTime(1_000);
    await one.countRegistration('192.0.2.1');
  });

  it.each([[16, '/48', '2001:db8:1:%00::1', '2001:db8:1:ff00::1', '2001:db8:2::1']])(
    'allows %i times as many per %s',
    async (count, _prefix, pattern, next, elsewhere) => {
      const one = limits({ REGISTRATIONS_PER_HOUR: '1' });
      for (let index = 0; index < count; index += 1) await one.countRegistration(pattern.replace('%', String(index)));
      await expect(one.countRegistration(next)).rejects.toMatchObject({ code: 1700 });
      await one.countRegistration(elsewhere);
    },
  );
});
