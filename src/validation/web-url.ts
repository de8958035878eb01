/** The most characters that a URL may have (contract §3). */
export const MAX_URL_LENGTH = 2048;

/**
 * Whether `text` is a URL as records hold them (contract §3): http or https, with a host, without credentials or white
 * space, by the rules of the WHATWG URL standard. Its length is judged elsewhere.
 */
export function isWebUrl(text: string): boolean {
  // The WHATWG parser drops tabs and newlines and encodes spaces: what it would read is not what is stored.
  if (/[\s\p{Cc}]/u.test(text)) return false;
  const url = URL.parse(text);
  if (url === null) return false;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return false;
  return url.hostname !== '' && url.username === '' && url.password === '';
}
