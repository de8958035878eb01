import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/**
 * A request body that has not been read yet. It is the value of a handler's body parameter until the guards have run, so
 * an anonymous caller never costs any parsing and a broken body never hides a 401, 403 or 404 (contract §1.1).
 */
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
