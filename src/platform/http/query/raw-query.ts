import type { IncomingHttpHeaders } from 'node:http';

/** The query string of a request before the pipe parses it, after the guards (contract §1.1). */
export class RawQuery {
  /** The parameters, frozen, once they are valid. */
  content: object | undefined;

  constructor(
    readonly headers: IncomingHttpHeaders,
    /** Without its `?`. */
    readonly text: string,
  ) {}
}
