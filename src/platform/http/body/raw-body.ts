import type { IncomingHttpHeaders } from 'node:http';

/** The body of a POST or PUT before the pipe parses it, after the guards (contract §1.1). */
export class RawBody {
  /** The content, frozen, once it is valid: all attempts of a write get the same. */
  content: object | undefined;

  /** The record that a PUT is about, as it is at this attempt. */
  stored: () => object | undefined = () => undefined;

  constructor(
    readonly headers: IncomingHttpHeaders,
    /** None of a form, which is received after the guards. */
    readonly bytes?: Buffer,
  ) {}
}
