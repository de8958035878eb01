import { isIP } from 'node:net';
import * as ipaddr from 'ipaddr.js';

/** The client of every request without a usable address. */
export const NO_ADDRESS = 'unknown';

/**
 * The key that a client's requests are counted by: its IPv4 address, or the /64 of its IPv6 address, since a customer
 * gets at least that (RFC 6177). Whatever is no IP address counts as one client: a proxy may pass on anything.
 * @param ip `request.ip`, which is missing once the socket is closed
 */
export function clientAddress(ip: string | undefined): string {
  return networksOf(ip)[0];
}

/** The key that a client's requests are counted by, and for IPv6 the /48 around it: some customers get one. */
export function networksOf(ip: string | undefined): readonly [string, ...string[]] {
  if (ip === undefined || isIP(ip) === 0) return [NO_ADDRESS];
  // `process` turns IPv4-mapped addresses into IPv4.
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return [address.toString()];
  const groups = address.toNormalizedString().split(':').slice(0, 4);
  return [`${groups.join(':')}::/64`, `${groups.slice(0, 3).join(':')}::/48`];
}
