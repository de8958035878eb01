import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** A body that is not read before the guards have run, so a broken one never hides a 401, 403 or 404 (contract §1.1). */
export class UnreadBody {
  constructor(
    readonly headers: IncomingHttpHeaders,
    readonly stream: Readable,
    /** The most bytes that may be read, `BODY_LIMIT`. */
    readonly limit: number,
  ) {}

  /** The bytes, once somebody has asked for them. A handler that runs again gets them again. */
  bytes: Promise<Buffer> | undefined;

  /** The validated content, frozen, once a pipe has made it. */
  content: object | undefined;

  /** Called when the body arrived only after the guards had run: the caller may have lost their rights meanwhile. */
  onLate: () => Promise<void> = () => Promise.resolve();
}
