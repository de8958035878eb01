import type { Operation } from './operations';
import type { Header, Reference } from './open-api';

/** A strong ETag as the service makes it (contract §2). */
const ETAG = '^"[!#-~]+"$';

/** The headers of answers (contract §2). */
export const headerComponents: Record<string, Header> = {
  'X-Request-Id': {
    description: 'Names the request in the log of the service.',
    required: true,
    schema: { type: 'string', minLength: 1 },
  },
  'X-Content-Type-Options': {
    description: 'The media type is not to be guessed.',
    required: true,
    schema: { type: 'string', const: 'nosniff' },
  },
  'Cache-Control': {
    description: 'A private cache may keep the answer, and asks before it uses it.',
    required: true,
    schema: { type: 'string', const: 'private, no-cache' },
  },
  'Cache-Control-NoStore': {
    description: 'The answer holds secrets and is not to be kept.',
    required: true,
    schema: { type: 'string', const: 'no-store' },
  },
  'Cache-Control-File': {
    description: 'A private cache may keep the file for so many seconds without asking.',
    required: true,
    schema: { type: 'string', pattern: '^private, max-age=[0-9]+$' },
  },
  'Cache-Control-Failure': {
    description: 'Whether the answer may be kept.',
    required: true,
    schema: { type: 'string', enum: ['private, no-cache', 'no-store'] },
  },
  ETag: {
    description: 'The version of the record, for `If-Match` and `If-None-Match`.',
    required: true,
    schema: { type: 'string', pattern: ETAG, examples: ['"1-0"'] },
  },
  Location: {
    description: 'Where the new record is read: an absolute path.',
    required: true,
    schema: { type: 'string', pattern: '^/.*[0-9a-f]{24}$' },
  },
  Link: {
    description: 'The pages beside this one (RFC 8288), `next` and `prev`, as absolute paths.',
    schema: { type: 'string', pattern: '^</[^>]*>; rel="(next|prev)"(, </[^>]*>; rel="(next|prev)")*$' },
  },
  'X-Total-Count': {
    description: 'How many records there are in all; with `Prefer: count=exact`.',
    schema: { type: 'integer', minimum: 0 },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'WWW-Authenticate': {
    description: 'The scheme of the credentials.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
};

type Headers = Record<string, Reference>;

/** The headers of a failure with that status. */
export function headersOfFailure(status: number): Headers {
  return {
    ...everyAnswer('Cache-Control-Failure'),
    ...(status === 401 && named('WWW-Authenticate')),
    ...((status === 429 || status === 503) && named('Retry-After')),
  };
}

/** The headers of an operation's success. */
export function headersOfSuccess(operation: Operation): Headers {
  const { answer, hasETag } = operation;
  const revised = hasETag && answer.kind !== 'list' && answer.kind !== 'deleted';
  return {
    ...everyAnswer(cacheControlOf(operation)),
    ...(revised && named('ETag')),
    ...(answer.kind === 'created' && answer.location !== false && named('Location')),
    ...(answer.kind === 'list' && { ...named('Link'), ...named('X-Total-Count') }),
  };
}

function cacheControlOf({ answer, hasETag }: Operation): string {
  if (!hasETag) return 'Cache-Control-NoStore';
  return answer.kind === 'bytes' ? 'Cache-Control-File' : 'Cache-Control';
}

function everyAnswer(cacheControl: string): Headers {
  return { ...named('X-Request-Id'), ...named('X-Content-Type-Options'), 'Cache-Control': reference(cacheControl) };
}

function named(name: string): Headers {
  return { [name]: reference(name) };
}

function reference(name: string): Reference {
  return { $ref: `#/components/headers/${name}` };
}
