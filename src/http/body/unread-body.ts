import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/**
 * A request body that nobody has read yet: what a handler's body parameter holds until the guards are through
 * (contract §1.1), so that an anonymous caller never costs a parser and a broken body overtakes no 401, 403 or 404.
 */
export class UnreadBody {
  /**
   * @param headers the request's header fields, names in lower case
   * @param stream the bytes as they come off the socket
   * @param limit how many bytes may be read, `BODY_LIMIT`
   */
  constructor(
    readonly headers: IncomingHttpHeaders,
    readonly stream: Readable,
    readonly limit: number,
  ) {}
}
