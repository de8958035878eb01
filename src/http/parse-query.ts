import { apiError } from '../errors/api-error';

/** The query string of a request target, without its `?`; empty if there is none or only a `?`. */
export function queryStringOf(target: string): string {
  const start = target.indexOf('?');
  return start === -1 ? '' : target.slice(start + 1);
}

/**
 * Parses a query string with form encoding (`+` is a space), and keeps the order. Fastify's own parser would accept
 * broken encodings, and turn repeated parameters into lists.
 * @throws ApiError `invalidQuery` for a broken encoding, a control character or a repeated parameter
 */
export function parseQuery(queryString: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const pair of queryString.split('&')) {
    if (pair === '') continue;
    const separator = pair.indexOf('=');
    const rawName = separator === -1 ? pair : pair.slice(0, separator);
    const name = decode(rawName, rawName);
    if (parameters.has(name)) throw invalidQuery(name, 'is given twice');
    parameters.set(name, separator === -1 ? '' : decode(pair.slice(separator + 1), name));
  }
  return parameters;
}

/** The error for a parameter (contract §1.4): `The query parameter "limit" must be …`. */
export function invalidQuery(name: string, reason: string): Error {
  return apiError('invalidQuery', `The query parameter ${JSON.stringify(shortened(name))} ${reason}.`);
}

/** Bytes above ASCII must be encoded; Node passes them on as Latin-1 characters. */
function decode(encoded: string, name: string): string {
  if (/[^\x21-\x7E]/.test(encoded)) throw invalidQuery(name, 'is not encoded as it should be');
  const text = percentDecode(encoded.replaceAll('+', ' '));
  if (text === undefined) throw invalidQuery(name, 'is not percent-encoded UTF-8');
  if (/\p{Cc}/u.test(text)) throw invalidQuery(name, 'holds a control character');
  return text;
}

function percentDecode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

function shortened(name: string): string {
  return Array.from(name.slice(0, 200)).slice(0, 100).join('');
}
