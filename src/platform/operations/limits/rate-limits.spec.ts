import { settingsWith } from '../../../../test/support/settings';
import { Limiters } from './limiters';
import { RateLimits } from './rate-limits';

const limits = (env: NodeJS.ProcessEnv): RateLimits => new RateLimits(settingsWith(env), new Limiters());
beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('the request limit starts again after a minute, and keeps nothing of an address', async () => {
  const one = limits({ RATE_LIMIT_PER_MINUTE: '1' });
  await one.countRequest('192.0.2.1');
  jest.advanceTimersByTime(59_000);
  await expect(one.countRequest('192.0.2.1')).rejects.toMatchObject({ headers: { 'retry-after': '1' } });
  jest.advanceTimersByTime(1_000);
  expect(jest.getTimerCount()).toBe(0);
  await one.countRequest('192.0.2.1');
});

it('the registration limit is one per address and hour, and 16 times as many per /48', async () => {
  const one = limits({ REGISTRATIONS_PER_HOUR: '1' });
  for (let subnet = 0; subnet < 16; subnet += 1) await one.countRegistration(`2001:db8:1:${subnet}::1`);
  const refused = { code: 1700, headers: { 'retry-after': '3600' } };
  await expect(one.countRegistration('2001:db8:1:ff::1')).rejects.toMatchObject(refused);
  await expect(one.countRegistration('2001:db8:1:0::2')).rejects.toMatchObject({ code: 1700 });
  await one.countRegistration('2001:db8:2::1');
  jest.advanceTimersByTime(3_600_000);
  await one.countRegistration('2001:db8:1:ff::1');
});
