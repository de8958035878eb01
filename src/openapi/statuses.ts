import { accessRules } from '../auth/access-rules';
import { ErrorName, apiErrors } from '../errors/api-error';
import type { Operation } from './operations';

/** What may befall any request, whatever it asks for (contract §1.1). */
const ALWAYS: readonly ErrorName[] = [
  'unusableRequest',
  'invalidQuery',
  'requestTimeout',
  'uriTooLong',
  'expectationFailed',
  'headersTooLarge',
  'tooManyRequests',
  'unexpected',
  'databaseUnavailable',
  'maintenance',
  'overloaded',
];

const WITH_CREDENTIALS: readonly ErrorName[] = ['noCredentials', 'tokenUnusable', 'accountGone'];
const WITH_BODY: readonly ErrorName[] = ['unusableBody', 'invalidContent', 'bodyTooLarge', 'unsupportedMediaType'];

/** Every failure that the operation can answer with, by status, each list in the table's order. */
export function failuresOf(operation: Operation): Map<number, ErrorName[]> {
  const possible = new Set<ErrorName>([
    ...ALWAYS,
    ...(needsCredentials(operation) ? WITH_CREDENTIALS : []),
    ...(mayBeForbidden(operation) ? (['forbidden'] as const) : []),
    ...operation.resources.map(({ definition }) => definition.notFound),
    ...(operation.object.requestBody ? WITH_BODY : []),
    ...(takesIfMatch(operation) ? (['preconditionFailed'] as const) : []),
    ...operation.fails,
  ]);
  const byStatus = new Map<number, ErrorName[]>();
  for (const name of Object.keys(apiErrors) as ErrorName[]) {
    if (!possible.has(name)) continue;
    const { status } = apiErrors[name];
    byStatus.set(status, [...(byStatus.get(status) ?? []), name]);
  }
  return new Map([...byStatus].sort(([one], [other]) => one - other));
}

/** PUT and DELETE take If-Match; that of a record without an ETag is ignored (contract §2). */
export function takesIfMatch({ method, hasETag }: Operation): boolean {
  return hasETag && (method === 'put' || method === 'delete');
}

/** By the default settings; with `REGISTRATION=open` a token that is sent to `POST /users` is judged all the same. */
function needsCredentials({ rule }: Operation): boolean {
  return rule !== accessRules.anyone;
}

function mayBeForbidden({ rule }: Operation): boolean {
  return rule !== accessRules.anyone && rule !== accessRules.account;
}
