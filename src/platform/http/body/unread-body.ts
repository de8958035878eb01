import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** What the guards have learned about a request. */
export interface Known {
  readonly account?: { readonly _id: object };
  /** The record that the path names last. */
  readonly record?: { readonly revision: number };
}

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

  /** Of the present attempt: each one knows the record as it is then. */
  known: Known = {};

  /** The content of an upload, frozen, once it has been read. */
  content: object | undefined;

  /** Called when the body has arrived, if the guards ran before: the caller may have lost their rights meanwhile. */
  onLate: (() => Promise<void>) | undefined;
}
