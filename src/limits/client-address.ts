import { isIPv6 } from 'node:net';

/**
 * What requests of one client are counted under: its IPv4 address, or the /64 of its IPv6 address. One customer is given
 * at least a /64 (RFC 6177), so single addresses of it are free to take and would each get a limit of their own.
 * @param ip `request.ip`, which is missing once the socket is gone
 */
export function clientAddress(ip: string | undefined): string {
  if (ip === undefined || ip === '') return 'unknown';
  if (!ip.includes(':') || !isIPv6(ip)) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1] !== undefined) return mapped[1];
  return `${groupsOf(ip).slice(0, 4).join(':')}::/64`;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(ip: string): string[] {
  const [head = '', tail] = (ip.split('%')[0] ?? ip).toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  // An IPv4 address at the end stands for two groups; it lies behind the first 64 bits either way.
  const width = [...before, ...after].reduce((sum, group) => sum + (group.includes('.') ? 2 : 1), 0);
  const gap = tail === undefined ? [] : new Array<string>(Math.max(8 - width, 0)).fill('0');
  return [...before, ...gap, ...after].map((group) => group.replace(/^0+(?=.)/, ''));
}
