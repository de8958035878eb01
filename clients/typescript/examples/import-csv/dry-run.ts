import type { Schemas } from '@roster/client';
import type { Registry } from './save-rows.ts';
import { failure, type Failure, type Fields, forbidden, uniqueKey, validate } from './rules.ts';
import type { BodySchema } from './schemas.ts';

/** What no two Organizations have, and no two APIs of an Organization: how it is compared, and the error. */
const UNIQUE = {
  OrganizationInput: { name: 'organizationNameTaken', externalId: 'organizationExternalIdTaken' },
  ApiInput: { name: 'apiNameTaken', externalId: 'apiExternalIdTaken' },
} as const;

/**
 * Sends only what reads. A write gets the response that Roster would give: 403, 409 and the field errors come from the rules of
 * the service itself.
 */
export function dryRun(body: BodySchema, account: Schemas['User'], registry: Registry) {
  const isAdmin = account.roles?.includes('admin') ?? false;
  const managed = registry.organizations.filter(({ managerIds }) => managerIds.includes(account._id));
  const managedIds = new Set(managed.map(({ _id }) => _id));
  const records = body.name === 'ApiInput' ? registry.apis : registry.organizations;
  const isTaken = uniqueness(records as unknown as Fields[]);
  return async (request: Request): Promise<Response> => {
    if (request.method === 'GET') return globalThis.fetch(request);
    const sent = (await request.json()) as { organizationId?: string };
    const [, inPath] = /\/organizations\/([^/]+)/.exec(request.url) ?? [];
    const owner = inPath ?? sent.organizationId;
    if (owner !== undefined && !isAdmin && !managedIds.has(owner)) return failed(forbidden());
    const { value, fieldErrors } = validate(body.name, sent);
    if (fieldErrors.length > 0) return failed({ ...failure('invalidContent'), message: fieldErrors });
    const record = request.method === 'PUT' ? records.find(({ _id }) => request.url.endsWith(_id)) : undefined;
    const isIdSet = (value.externalId ?? null) !== (record?.externalId ?? null);
    if (body.name === 'OrganizationInput' && !isAdmin && isIdSet)
      return failed({ ...forbidden(), message: 'Only an Admin may set an externalId.' });
    const taken = isTaken({ ...value, _id: record?._id, organizationId: body.name === 'ApiInput' ? owner : undefined });
    if (taken) return failed(failure(UNIQUE[body.name][taken]));
    return Response.json({ status: 'success', data: { _id: '', ...sent, ...value } });
  };
}

function failed({ status, ...body }: Failure): Response {
  return Response.json({ status: 'fail', ...body }, { status });
}

/** @returns a function that tells what another record has, and otherwise gives it to this one */
function uniqueness(records: Fields[]) {
  const holders = new Map<string, unknown>();
  const held = new Map<unknown, string[]>();
  const valuesOf = ({ organizationId, name, externalId }: Fields): ['name' | 'externalId', string][] => [
    ['name', `name ${organizationId} ${uniqueKey(name as string)}`],
    ...(externalId ? [['externalId', `id ${organizationId} ${externalId}`] satisfies ['externalId', string]] : []),
  ];
  const give = (record: Fields, holder = record._id ?? record) => {
    for (const value of held.get(holder) ?? []) holders.delete(value);
    const values = valuesOf(record).map(([, value]) => value);
    for (const value of values) holders.set(value, holder);
    held.set(holder, values);
  };
  for (const record of records) give(record);
  return (record: Fields): 'name' | 'externalId' | undefined => {
    const taken = valuesOf(record).find(([, value]) => (holders.get(value) ?? record._id) !== record._id);
    if (!taken) give(record);
    return taken?.[0];
  };
}
