/** Checks for an http or https URL with a host, without credentials or white space (contract §3); not its length. */
export function isWebUrl(text: string): boolean {
  // The WHATWG parser drops tabs and newlines and encodes spaces, but the text is stored as it was sent.
  if (/[\s\p{Cc}]/u.test(text)) return false;
  const { protocol, hostname, username, password } = URL.parse(text) ?? {};
  return (protocol === 'http:' || protocol === 'https:') && hostname !== '' && username === '' && password === '';
}
