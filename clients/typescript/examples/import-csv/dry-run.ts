import type { Schemas } from '@roster/client';
import type { Registry } from './save-rows.ts';
import { failure, type Failure, type Fields, forbidden, uniqueValues, validate } from './rules.ts';
import type { BodySchema } from './schemas.ts';

/** What the service says of a Consumer that is neither the caller's, nor one of their APIs. */
const NOT_MINE =
  'Only a Manager of the Organization that the body names, a Manager of the API or an Admin may do this.';

/**
 * Sends only what reads. A write gets the response that Roster would give: 403, 409 and the field errors come from the rules of
 * the service itself.
 */
export function dryRun(body: BodySchema, account: Schemas['User'], registry: Registry) {
  const isAdmin = account.roles?.includes('admin') ?? false;
  const managed = registry.organizations.filter(({ managerIds }) => managerIds.includes(account._id));
  const managedIds = new Set(managed.map(({ _id }) => _id));
  const records = body.name === 'ApiInput' ? registry.apis : registry.organizations;
  const conflictOf = uniqueness((record) => uniqueValues(body.name, record), records as unknown as Fields[]);
  return async (request: Request): Promise<Response> => {
    if (request.method === 'GET') return globalThis.fetch(request);
    const sent = (await request.json()) as { organizationId?: string };
    const [, inPath] = /\/organizations\/([^/]+)/.exec(request.url) ?? [];
    const owner = inPath ?? sent.organizationId;
    if (owner !== undefined && !isAdmin && !managedIds.has(owner)) return failed(forbidden('manager'));
    const { value, fieldErrors } = validate(body.name, sent);
    if (fieldErrors.length > 0) return failed({ ...failure('invalidContent'), message: fieldErrors });
    const record = request.method === 'PUT' ? records.find(({ _id }) => request.url.endsWith(_id)) : undefined;
    const isIdSet = (value.externalId ?? null) !== (record?.externalId ?? null);
    if (body.name === 'OrganizationInput' && !isAdmin && isIdSet)
      return failed({ ...forbidden('manager'), message: 'Only an Admin may set an externalId.' });
    const taken = conflictOf({ ...value, _id: record?._id, organizationId: owner });
    if (taken !== undefined) return failed(failure(taken));
    return Response.json({ status: 'success', data: { _id: '', ...sent, ...value } });
  };
}

/** The same for Consumers. */
export function dryRunOfConsumers(body: BodySchema, account: Schemas['User'], { organizations, apis }: Registry) {
  const isAdmin = account.roles?.includes('admin') ?? false;
  const isMine = (id: unknown) =>
    isAdmin || organizations.some(({ _id, managerIds }) => _id === id && managerIds.includes(account._id));
  return async (request: Request): Promise<Response> => {
    if (request.method === 'GET') return globalThis.fetch(request);
    const { organizationId, ...sent } = (await request.json()) as { organizationId?: string };
    const [, apiId, consumerId] = /\/apis\/([^/]+)\/consumers\/?(.*)$/.exec(request.url) ?? [];
    const api = apis.find(({ _id }) => _id === apiId)!;
    const isOpen = isMine(api.organizationId) || (api.isPublic && api.acceptsConsumers);
    const isChange = request.method === 'PUT';
    if (isChange && !isMine(consumerId)) return failed(forbidden('changeConsumer'));
    if (!isChange && !isOpen) return failed(forbidden('addConsumer'));
    const { value, fieldErrors } = validate(body.name, sent);
    if (fieldErrors.length > 0) return failed({ ...failure('invalidContent'), message: fieldErrors });
    if (!isChange && !isMine(organizationId) && !isMine(api.organizationId))
      return failed({ ...forbidden('addConsumer'), message: NOT_MINE });
    return Response.json({ status: 'success', data: { _id: consumerId ?? organizationId, ...sent, ...value } });
  };
}

function failed({ status, ...body }: Failure): Response {
  return Response.json({ status: 'fail', ...body }, { status });
}

/**
 * @param valuesOf what no two records have, each with the error for it
 * @returns a function that names the error if another record has a value, and otherwise gives the values to this one
 */
export function uniqueness(valuesOf: (record: Fields) => [taken: string, value: string][], records: Fields[]) {
  const holders = new Map<string, unknown>();
  const held = new Map<unknown, string[]>();
  const give = (record: Fields, holder = record._id ?? record) => {
    for (const value of held.get(holder) ?? []) holders.delete(value);
    const values = valuesOf(record).map(([, value]) => value);
    for (const value of values) holders.set(value, holder);
    held.set(holder, values);
  };
  for (const record of records) give(record);
  return (record: Fields): string | undefined => {
    const conflict = valuesOf(record).find(([, value]) => (holders.get(value) ?? record._id) !== record._id);
    if (!conflict) give(record);
    return conflict?.[0];
  };
}
