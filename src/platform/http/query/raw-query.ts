import type { IncomingHttpHeaders } from 'node:http';
import { apiError } from '../../base/errors/api-error';
import { truncate } from '../responses/error-body';

/** The query string of a request before the pipe validates it, after the guards (contract §1.1). */
export class RawQuery {
  /** The parameters, frozen, once they are valid. */
  content: object | undefined;

  constructor(
    private readonly headers: IncomingHttpHeaders,
    /** Without its `?`. */
    readonly text: string,
  ) {}

  /** Whether the `Prefer` header asks for `count=exact`; of two `count`s the first one counts (RFC 7240 §2). */
  get wantsExactCount(): boolean {
    // A quoted value that is not a token could contain what looks like other preferences.
    const preferences = String(this.headers.prefer ?? '').replace(/"([\w-]*)"|"[^"]*"/g, '$1');
    const count = /(?:^|,)\s*count\s*(?:=([^,;]*))?(?:[,;]|$)/i.exec(preferences);
    return count?.[1]?.trim().toLowerCase() === 'exact';
  }

  /**
   * The parameters, which have form encoding (`+` is a space). Fastify's own parser would accept broken encodings.
   * @throws ApiError `invalidQuery` for a broken encoding, a control character or a repeated parameter
   */
  parse(): ReadonlyMap<string, string> {
    const parameters = new Map<string, string>();
    for (const pair of this.text.split('&')) {
      if (pair === '') continue;
      const [rawName = ''] = pair.split('=', 1);
      const name = decode(rawName, rawName);
      if (parameters.has(name)) throw invalidQuery(name, 'is given twice');
      parameters.set(name, decode(pair.slice(rawName.length + 1), name));
    }
    return parameters;
  }
}

/** The error for a parameter (contract §1.4): `The query parameter "limit" must be …`. */
export function invalidQuery(name: string, reason: string): Error {
  return apiError('invalidQuery', `The query parameter ${JSON.stringify(truncate(name, 100))} ${reason}.`);
}

/** Bytes above ASCII must be encoded; Node passes them on as Latin-1 characters. */
function decode(encoded: string, name: string): string {
  if (/[^\x21-\x7E]/.test(encoded)) throw invalidQuery(name, 'is not encoded correctly');
  let text: string;
  try {
    text = decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    throw invalidQuery(name, 'is not percent-encoded UTF-8');
  }
  if (/\p{Cc}/u.test(text)) throw invalidQuery(name, 'contains a control character');
  return text;
}
