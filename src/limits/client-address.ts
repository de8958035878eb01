import * as ipaddr from 'ipaddr.js';

/**
 * What a client's requests are counted by: its IPv4 address, or the /64 of its IPv6 address. A customer gets at least a
 * /64 (RFC 6177), so with single addresses a client could have as many limits as it likes.
 * @param ip `request.ip`, which is missing once the socket is closed
 */
export function clientAddress(ip: string | undefined): string {
  if (ip === undefined || !ipaddr.isValid(ip)) return ip || 'unknown';
  // `process` turns IPv4-mapped addresses into IPv4.
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return `${address.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`;
}
