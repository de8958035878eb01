import type { AuthorizedRequest } from '../access/request-access';
import { JSON_IN_UTF8 } from './media-type';

/** A JSON object without members. */
const NO_MEMBERS = /^\ufeff?[ \t\r\n]*\{[ \t\r\n]*\}[ \t\r\n]*$/;

/** The body of a POST or PUT before the pipe parses it, after the guards (contract §1.1). */
export class RawBody {
  /** The content, frozen, once it is valid: all attempts of a write get the same. */
  content: object | undefined;

  constructor(
    readonly request: AuthorizedRequest,
    /** None of a form, which is received after the guards. */
    readonly bytes?: Buffer,
  ) {}

  /** Whether there is no body, or it is a JSON object without members. */
  get isEmpty(): boolean {
    const { 'content-type': type = '', 'content-encoding': encoding } = this.request.raw.headers;
    if (!this.bytes?.length) return this.bytes !== undefined;
    return JSON_IN_UTF8.accepts(type) && encoding === undefined && NO_MEMBERS.test(this.bytes.toString());
  }
}
