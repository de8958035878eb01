import { ErrorName } from '../../src/platform/base/errors/api-error';
import type { Client, ClientRequest } from '../support/client';
import { filePart, form, FORM_TYPE } from '../support/uploads.mjs';
import { NOTHING } from '../support/records';
import { type Operation, takesCredential } from '../support/operations';
import { notFoundOf, resourceOf, rowsOf, statusesFor } from '../support/scenes';

/** A way to fail one check of contract §1.1. */
export interface Check {
  readonly error: ErrorName | ((operation: Operation) => ErrorName);
  readonly appliesTo: (operation: Operation) => boolean;
  /** The request, changed so that it fails this check and no earlier one. */
  readonly spoil: (request: ClientRequest, stranger: Client, operation: Operation) => ClientRequest;
}

const everything = (): boolean => true;
const hasBody = ({ method }: Operation): boolean => method === 'POST' || method === 'PUT';
const needsAccount = ({ rule }: Operation): boolean => rule !== 'anyone';
const namesRecord = (operation: Operation): boolean => operation.path.includes(':') || takesCredential(operation);
/** Whether an account without rights may not send it for a record that is made as the scene says. */
function isRefused(operation: Operation): boolean {
  const usual = rowsOf(operation).filter((row) => row.of !== 'own' && !row.fields && !row.parent && !row.request);
  return statusesFor('account', usual).includes(403);
}
const isUpload = ({ method, path }: Operation): boolean => method === 'POST' && path === '/files';

/** Error of the last record that a path names, or of the one that contains its collection. */
function notFound(operation: Operation): ErrorName {
  const { path } = operation;
  if (takesCredential(operation)) return notFoundOf(resourceOf(operation));
  const [, resource = ''] = /.*\/([\w-]+)\/:/.exec(path)!;
  return notFoundOf(resource);
}

/**
 * The checks in the contract's order (§1.1), each with a request that fails it. What is spoilt earlier may spoil what
 * comes later as well, never the other way round.
 */
export const checks = {
  path: {
    error: 'pathNotFound',
    appliesTo: everything,
    spoil: (request) => ({ ...request, path: request.path.replace(/(?=\?|$)/, '/') }),
  },
  method: {
    error: 'methodNotAllowed',
    appliesTo: everything,
    spoil: (request) => ({ ...request, method: 'PATCH' }),
  },
  size: {
    error: 'bodyTooLarge',
    appliesTo: hasBody,
    // Of an upload, any body but a form.
    spoil: (request, _, operation) => {
      const json = { 'content-type': 'application/json', ...request.headers };
      const headers = isUpload(operation) ? { ...json, 'content-type': 'text/plain' } : json;
      return { ...request, headers, payload: Buffer.alloc(65_537, '{') };
    },
  },
  account: {
    error: 'noCredentials',
    appliesTo: needsAccount,
    spoil: (request) => ({ ...request, headers: { ...request.headers, authorization: undefined } }),
  },
  target: {
    error: notFound,
    appliesTo: namesRecord,
    spoil: (request, _, operation) =>
      takesCredential(operation)
        ? withHeaders(request, { authorization: `Bearer ${NOTHING}` })
        : { ...request, path: request.path.replace(/[0-9a-f]{24}(?!.*[0-9a-f]{24})/, NOTHING) },
  },
  access: {
    error: 'forbidden',
    appliesTo: isRefused,
    spoil: (request, stranger) => withHeaders(request, { authorization: `Bearer ${stranger.token}` }),
  },
  query: {
    error: 'invalidQuery',
    appliesTo: everything,
    spoil: (request) => ({ ...request, path: `${request.path}?limit=0&limit=0` }),
  },
  mediaType: {
    error: 'unsupportedMediaType',
    appliesTo: hasBody,
    spoil: (request, _, operation) => {
      const spoilt = withHeaders(request, { 'content-type': 'text/plain' });
      return { ...spoilt, payload: isUpload(operation) ? '{}' : (request.payload ?? '{}') };
    },
  },
  formSize: {
    error: 'bodyTooLarge',
    appliesTo: isUpload,
    spoil: (request, _, operation) => ({ ...typed(request, operation), payload: Buffer.alloc(1_200_000, '{') }),
  },
  body: {
    error: 'unusableBody',
    appliesTo: hasBody,
    spoil: (request, _, operation) => ({ ...typed(request, operation), payload: '{"unknown":' }),
  },
  content: {
    error: 'invalidContent',
    appliesTo: hasBody,
    spoil: (request, _, operation) => ({
      ...typed(request, operation),
      payload: isUpload(operation) ? form({ ...filePart('x'), name: 'other' }) : '{"unknown":1}',
    }),
  },
} satisfies Record<string, Check>;

export type CheckName = keyof typeof checks;

export const CHECK_NAMES = Object.keys(checks) as CheckName[];

/** The request with these headers, which replace its own of the same names. */
export function withHeaders(request: ClientRequest, headers: ClientRequest['headers']): ClientRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}

/** A request with the media type that its operation takes. */
function typed(request: ClientRequest, operation: Operation): ClientRequest {
  return withHeaders(request, isUpload(operation) ? FORM_TYPE : { 'content-type': 'application/json' });
}

/** A request that fails all of these checks of its operation. */
export function failing(
  names: readonly CheckName[],
  request: ClientRequest,
  stranger: Client,
  operation: Operation,
): ClientRequest {
  const lastFirst = [...names].reverse();
  return lastFirst.reduce((spoilt, name) => (checks[name] as Check).spoil(spoilt, stranger, operation), request);
}

/** The error of a request that fails these checks. */
export function expectedError(names: readonly CheckName[], operation: Operation): ErrorName {
  const { error }: Check = checks[names[0]!];
  return typeof error === 'function' ? error(operation) : error;
}
