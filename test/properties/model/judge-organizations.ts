import { attachLogo, mayBeLogo } from './logos';
import { ModelOrganization, ModelUser, slugsFor, State, touch } from './state';
import {
  Case,
  change,
  failure,
  faulty,
  isAdmin,
  isStale,
  isTaken,
  managesOrAdmin,
  newId,
  racedSlug,
  success,
  Verdict,
} from './verdict';

type Body = Pick<ModelOrganization, 'name' | 'url' | 'description' | 'featuredApiIds' | 'organizationLogoFileId'>;

/** What is left out is cleared (contract §3). */
const bodyOf = ({ request }: Case): Body => ({ organizationLogoFileId: null, ...request.body }) as unknown as Body;

function shown(_id: string, organization: ModelOrganization): object {
  const { name, url, description, slug, managerIds, featuredApiIds, createdBy, organizationLogoFileId } = organization;
  const friendlySlugs = { slug: { base: slug.base, index: slug.index } };
  const described = { _id, name, url, description, slug: slug.text, managerIds, createdBy, friendlySlugs };
  return { ...described, organizationLogoFileId, featuredApiIds };
}

/** `/organizations`, `/organizations/:id` and its managers (contract §3 Organization, Manager, §4). */
export function judgeOrganizations(judged: Case): Verdict {
  const { method, path, actor } = judged.request;
  const [, id, inside, managerId] = path;
  if (id === undefined) return method === 'GET' ? list(judged) : create(judged);
  const organization = judged.state.organizations.get(id);
  if (!organization) return failure('organizationNotFound');
  if (managerId !== undefined && !organization.managerIds.includes(managerId)) return failure('managerNotFound');
  if (method === 'GET' && inside === undefined) return success(shown(id, organization), organization);
  if (!managesOrAdmin(judged, id)) return failure('forbidden');
  if (inside !== undefined) return judgeManagers(judged, organization, actor, managerId);
  return method === 'PUT' ? update(judged, id, organization) : remove(judged, id, organization);
}

function list({ state }: Case): Verdict {
  const all = [...state.organizations].sort(([one], [other]) => (one < other ? -1 : 1));
  return success(all.map(([id, organization]) => shown(id, organization)));
}

/** The first that is neither featured nor a public Api of the Organization. */
function wrongFeature({ apis }: State, { featuredApiIds }: Body, id?: string, present: string[] = []): string[] {
  const wrong = featuredApiIds.findIndex((apiId) => {
    const api = apis.get(apiId);
    return !present.includes(apiId) && !(api?.isPublic === true && api.organizationId === id);
  });
  return wrong === -1 ? [] : [`featuredApiIds.${wrong}`];
}

/** The fields that name what may not be named: all at once (contract §2, Field errors). */
function wrongReferences(judged: Case, body: Body, id?: string, present?: ModelOrganization): string[] {
  const isLogo = mayBeLogo(judged, body.organizationLogoFileId, present?.organizationLogoFileId);
  const features = wrongFeature(judged.state, body, id, present?.featuredApiIds);
  return [...features, ...(isLogo ? [] : ['organizationLogoFileId'])];
}

function create(judged: Case): Verdict {
  const { state, request } = judged;
  const body = bodyOf(judged);
  const wrong = wrongReferences(judged, body);
  if (wrong.length > 0) return faulty(...wrong);
  if (isTaken(state.organizations, ({ name }) => name, body.name)) return failure('organizationNameTaken');
  const organization: ModelOrganization = {
    ...body,
    ...slugsFor(state.organizations, body.name, 'organization', undefined, racedSlug(judged)),
    managerIds: [request.actor],
    createdBy: request.actor,
    etag: undefined,
    formerEtags: [],
  };
  state.organizations.set(newId(judged), organization);
  attachLogo(state, newId(judged), body.organizationLogoFileId);
  return success(shown(newId(judged), organization), organization);
}

function update(judged: Case, id: string, organization: ModelOrganization): Verdict {
  const { state } = judged;
  const body = bodyOf(judged);
  const wrong = wrongReferences(judged, body, id, organization);
  if (wrong.length > 0) return faulty(...wrong);
  if (isStale(judged, organization)) return failure('preconditionFailed');
  if (isTaken(state.organizations, ({ name }) => name, body.name, id)) return failure('organizationNameTaken');
  attachLogo(state, id, body.organizationLogoFileId, organization.organizationLogoFileId);
  change(organization, {
    ...body,
    ...slugsFor(state.organizations, body.name, 'organization', organization, racedSlug(judged)),
  });
  return success(shown(id, organization), organization);
}

function remove(judged: Case, id: string, organization: ModelOrganization): Verdict {
  const { state } = judged;
  if (isStale(judged, organization)) return failure('preconditionFailed');
  for (const [apiId, { organizationId }] of state.apis) if (organizationId === id) state.apis.delete(apiId);
  if (organization.organizationLogoFileId !== null) state.files.delete(organization.organizationLogoFileId);
  state.organizations.delete(id);
  return success();
}

function judgeManagers(judged: Case, organization: ModelOrganization, actor: string, managerId?: string): Verdict {
  const { state, request } = judged;
  const asManager = (id: string): object => {
    const { username, companyName, email } = state.users.get(id) as ModelUser;
    return { _id: id, username, companyName, ...((isAdmin(judged) || id === actor) && { email }) };
  };
  if (request.method === 'GET') {
    return success(managerId === undefined ? organization.managerIds.map(asManager) : asManager(managerId));
  }
  if (managerId === undefined) return addManager(judged, organization, asManager);
  if (organization.managerIds.length === 1) return failure('lastManager');
  organization.managerIds = organization.managerIds.filter((id) => id !== managerId);
  touch(organization);
  return success();
}

function addManager({ state, request }: Case, organization: ModelOrganization, show: (id: string) => object): Verdict {
  const { userId } = request.body as { userId: string };
  if (!state.users.has(userId)) return faulty('userId');
  if (organization.managerIds.includes(userId)) return failure('managerExists');
  organization.managerIds = [...organization.managerIds, userId];
  touch(organization);
  return success(show(userId));
}
