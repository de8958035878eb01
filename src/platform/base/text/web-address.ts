import { isDomain } from './domain';
import { characterAt } from './text';

/** Scheme, host, port, path, and what comes after `?` or `#`. */
const FORM =
  /^https?:\/\/(?<host>\[[\da-f:.]+\]|[^/?#@:[\]]+)(?::(?<port>\d{1,5}))?(?<path>\/[^?#]*)?(?<query>\?[^#]*)?(?<fragment>#.*)?$/iu;

const MAX_PORT = 65535;

/** What RFC 3986 has in no URL, and above ASCII what shows nothing, is a space, or has no meaning that is agreed on. */
const FORBIDDEN =
  /[\0- "<>\\^`{|}\x7F]|[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Z}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * Says why a text is not a web address that all programs read alike (contract §10.4): browsers and others disagree about
 * backslashes, empty hosts and labels, and numbers as hosts.
 * @returns the rest of "The field …"; undefined for an address
 */
export function webAddressProblem(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text)) return 'must be an http or https URL with a host and without credentials';
  const forbidden = text.search(FORBIDDEN);
  if (forbidden !== -1) return `has ${characterAt(text, forbidden)}, which must be percent-encoded`;
  const percent = text.search(/%(?![\da-f]{2})/i);
  if (percent !== -1) return `has ${characterAt(text, percent)}, which must be sent as %25`;
  const { host, port = '', path = '', fragment = '' } = FORM.exec(text)?.groups ?? {};
  if (host === undefined) return 'must be an http or https URL with a host and without credentials';
  if (/[[\]]/.test(path) || fragment.includes('#', 1)) return 'has [, ] or # where it must be percent-encoded';
  if (Number(port) > MAX_PORT) return `must have a port of at most ${MAX_PORT}`;
  return isHost(host, text) ? undefined : 'must have a domain name or an IP address in its usual form as its host';
}

function isHost(host: string, url: string): boolean {
  const parsed = URL.parse(url)?.hostname;
  if (parsed === undefined || host.startsWith('[')) return parsed !== undefined;
  // The parser reads `127.1` and `0x7f.1` as addresses, which others do not.
  if (/^[\0-\x7F]*$/.test(host) && parsed !== host.toLowerCase()) return false;
  // Hosts may have underscores, and the dot of the root.
  return isDomain(host.replace(/\.$/, '').replaceAll('_', 'x'));
}
