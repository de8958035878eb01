import { ModelApi, slugsFor, State, touch } from './state';
import { Case, change, failure, isStale, isTaken, managesOrAdmin, newId, racedSlug, success, Verdict } from './verdict';

type Body = Pick<ModelApi, 'name' | 'url' | 'description' | 'isPublic'>;

function shown(_id: string, { organizationId, name, url, description, isPublic, slug, createdBy }: ModelApi): object {
  const friendlySlugs = { slug: { base: slug.base, index: slug.index } };
  const rest = { lifecycleStatus: 'design', documentationUrl: null, slug: slug.text, friendlySlugs, createdBy };
  return { _id, organizationId, name, url, description, isPublic, ...rest };
}

/** `/apis`, `/apis/:id` and `/organizations/:id/apis` (contract §3 Api, §4). */
export function judgeApis(judged: Case): Verdict {
  const { method, path } = judged.request;
  if (path[0] === 'organizations') return judgeInside(judged, path[1] ?? '');
  const id = path[1];
  if (id === undefined) return list(judged);
  const api = judged.state.apis.get(id);
  if (!api) return failure('apiNotFound');
  const mayRead = method === 'GET' && api.isPublic;
  if (!mayRead && !managesOrAdmin(judged, api.organizationId)) return failure('forbidden');
  if (method === 'GET') return success(shown(id, api), api);
  return method === 'PUT' ? update(judged, id, api) : remove(judged, id, api);
}

function judgeInside(judged: Case, organizationId: string): Verdict {
  if (!judged.state.organizations.has(organizationId)) return failure('organizationNotFound');
  if (judged.request.method === 'GET') return list(judged, organizationId);
  return managesOrAdmin(judged, organizationId) ? create(judged, organizationId) : failure('forbidden');
}

function list(judged: Case, within?: string): Verdict {
  const visible = [...judged.state.apis].filter(
    ([, { organizationId, isPublic }]) =>
      (within === undefined || organizationId === within) && (isPublic || managesOrAdmin(judged, organizationId)),
  );
  return success(visible.sort(([one], [other]) => (one < other ? -1 : 1)).map(([id, api]) => shown(id, api)));
}

function siblings({ apis }: State, organizationId: string): Map<string, ModelApi> {
  return new Map([...apis].filter(([, api]) => api.organizationId === organizationId));
}

function create(judged: Case, organizationId: string): Verdict {
  const { state, request } = judged;
  const body = request.body as Body;
  if (isTaken(siblings(state, organizationId), ({ name }) => name, body.name)) return failure('apiNameTaken');
  const api: ModelApi = {
    ...body,
    ...slugsFor(state.apis, body.name, 'api', undefined, racedSlug(judged)),
    organizationId,
    createdBy: request.actor,
    etag: undefined,
    formerEtags: [],
  };
  state.apis.set(newId(judged), api);
  return success(shown(newId(judged), api), api);
}

function update(judged: Case, id: string, api: ModelApi): Verdict {
  const { state, request } = judged;
  const body = request.body as Body;
  if (isStale(judged, api)) return failure('preconditionFailed');
  if (isTaken(siblings(state, api.organizationId), ({ name }) => name, body.name, id)) return failure('apiNameTaken');
  change(api, { ...body, ...slugsFor(state.apis, body.name, 'api', api, racedSlug(judged)) });
  if (!body.isPublic) leaveFeatured(state, id, api);
  return success(shown(id, api), api);
}

function remove(judged: Case, id: string, api: ModelApi): Verdict {
  if (isStale(judged, api)) return failure('preconditionFailed');
  leaveFeatured(judged.state, id, api);
  judged.state.apis.delete(id);
  return success();
}

function leaveFeatured({ organizations }: State, id: string, { organizationId }: ModelApi): void {
  const organization = organizations.get(organizationId);
  if (!organization?.featuredApiIds.includes(id)) return;
  organization.featuredApiIds = organization.featuredApiIds.filter((featured) => featured !== id);
  touch(organization);
}
