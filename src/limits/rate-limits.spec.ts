import { settingsWith } from '../../test/support/settings';
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
    await expect(one.countRequest('192.0.2.1')).rejects.toMatchObject({ headers: { 'Retry-After': '1' } });
    jest.advanceTimersByTime(1_000);
    expect(jest.getTimerCount()).toBe(0);
    await one.countRequest('192.0.2.1');
  });

  it('are off at 0', async () => {
    const off = limits({ RATE_LIMIT_PER_MINUTE: '0' });
    const all = Array.from({ length: 10 }, () => off.countRequest('192.0.2.1'));
    await expect(Promise.all(all)).resolves.toEqual(all.map(() => undefined));
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
      headers: { 'Retry-After': '1' },
    });
    jest.advanceTimersByTime(1_000);
    await one.countRegistration('192.0.2.1');
  });

  it.each([
    [
      '4 times as many per /56',
      4,
      (index: number) => `2001:db8:1:aa0${index}::1`,
      '2001:db8:1:aaff::1',
      '2001:db8:1:abff::1',
    ],
    [
      '16 times as many per /48',
      16,
      (index: number) => `2001:db8:1:${index}00::1`,
      '2001:db8:1:ff00::1',
      '2001:db8:2::1',
    ],
  ])('allows %s', async (_, count, address, next, elsewhere) => {
    const one = limits({ REGISTRATIONS_PER_HOUR: '1' });
    for (let index = 0; index < count; index += 1) await one.countRegistration(address(index));
    await expect(one.countRegistration(next)).rejects.toMatchObject({ code: 1700 });
    await one.countRegistration(elsewhere);
  });

  it('does not count a registration that is taken back', async () => {
    const one = limits({ REGISTRATIONS_PER_HOUR: '1' });
    for (let times = 0; times < 3; times += 1) {
      await one.countRegistration('192.0.2.1');
      await one.uncountRegistration('192.0.2.1');
    }
    await one.countRegistration('192.0.2.1');
    await expect(one.countRegistration('192.0.2.1')).rejects.toMatchObject({ code: 1700 });
  });

  it('is off at 0', async () => {
    const off = limits({ REGISTRATIONS_PER_HOUR: '0' });
    for (let times = 0; times < 30; times += 1) await off.countRegistration('192.0.2.1');
  });
});
