import type { Schemas } from '@roster/client';
import type { Registry } from './save-rows.ts';
import { forbidden, validate } from './rules.ts';
import type { BodySchema } from './schemas.ts';

/**
 * Sends only what reads. A write gets the response that Roster would give: 403 and the field errors come from the rules of the
 * service itself.
 */
export function dryRun(body: BodySchema, account: Schemas['User'], registry: Registry) {
  const isAdmin = account.roles.includes('admin');
  const managed = registry.organizations.filter(({ managerIds }) => managerIds.includes(account._id));
  const ids = new Set(managed.map(({ _id }) => _id));
  return async (request: Request): Promise<Response> => {
    if (request.method === 'GET') return globalThis.fetch(request);
    const sent = (await request.json()) as { organizationId?: string };
    const owner = /\/organizations\/([^/]+)/.exec(request.url)?.[1] ?? sent.organizationId;
    if (owner !== undefined && !isAdmin && !ids.has(owner)) return Response.json(forbidden(), { status: 403 });
    const { value, fieldErrors } = validate(body.name, sent);
    if (fieldErrors.length > 0)
      return Response.json({ status: 'fail', code: 1024, message: fieldErrors }, { status: 400 });
    return Response.json({ status: 'success', data: { _id: '', ...sent, ...value } });
  };
}
