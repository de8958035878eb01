import type { IncomingHttpHeaders } from 'node:http';

/** The query string of a request before the pipe parses it, after the guards (contract §1.1). */
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
}
