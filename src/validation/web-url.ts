/**
 * Whether `text` is a URL by contract §3: http or https, with a host, without credentials or white space, by the rules
 * of the WHATWG URL standard. class-validator's `IsUrl` has rules of its own. The length is checked elsewhere.
 */
export function isWebUrl(text: string): boolean {
  // The WHATWG parser drops tabs and newlines and encodes spaces, but the text is stored as it was sent.
  if (/[\s\p{Cc}]/u.test(text)) return false;
  const { protocol, hostname, username, password } = URL.parse(text) ?? {};
  return (protocol === 'http:' || protocol === 'https:') && hostname !== '' && username === '' && password === '';
}
