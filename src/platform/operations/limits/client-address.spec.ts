import { clientAddress, networksOf } from './client-address';

describe('a client is counted by', () => {
  it.each([
    ['192.0.2.7', ['192.0.2.7']],
    ['::ffff:192.0.2.7', ['192.0.2.7']],
    ['2001:db8:1:2345::1', ['2001:db8:1:2345::/64', '2001:db8:1::/48']],
    ['2001:0DB8:0001:0045:0000::', ['2001:db8:1:45::/64', '2001:db8:1::/48']],
    ['::1', ['0:0:0:0::/64', '0:0:0::/48']],
    ['64:ff9b::192.0.2.7', ['64:ff9b:0:0::/64', '64:ff9b:0::/48']],
    ['fe80::1%eth0', ['fe80:0:0:0::/64', 'fe80:0:0::/48']],
  ])('%s: its address and the networks %j', (ip, networks) => {
    expect(networksOf(ip)).toEqual(networks);
    expect(clientAddress(ip)).toBe(networks[0]);
  });

  it.each([
    ...['192.0.2.7:4711', '"192.0.2.7"', '[2001:db8::1]', '[2001:db8::1]:4711', '192.0.2.256', '127.1'],
    ...['a name from a header', '', undefined],
  ])('one name for all that is no IP address: %j', (ip) => expect(networksOf(ip)).toEqual(['unknown']));
});
