import { clientAddress, networksOf } from './client-address';

describe('clientAddress', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:0000::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('counts %s as %s', (ip, counted) => expect(clientAddress(ip)).toBe(counted));

  it.each([
    '192.0.2.7:4711',
    '"192.0.2.7"',
    '[2001:db8::1]',
    '[2001:db8::1]:4711',
    '192.0.2.256',
    '127.1',
    'a name from a header',
    '',
    undefined,
  ])('counts what is no IP address as one client: %j', (ip) => expect(clientAddress(ip)).toBe('unknown'));
});

describe('networksOf', () => {
  it.each([
    ['192.0.2.7', ['192.0.2.7']],
    ['2001:db8:1:2345::1', ['2001:db8:1:2345::/64', '2001:db8:1:2300::/56', '2001:db8:1::/48']],
    ['2001:db8:1:45::1', ['2001:db8:1:45::/64', '2001:db8:1:0::/56', '2001:db8:1::/48']],
    ['no address', ['unknown']],
  ])('of %s are %j', (ip, networks) => expect(networksOf(ip)).toEqual(networks));
});
