import {
  create,
  idOf,
  isAdmin,
  isStale,
  isTaken,
  list,
  managesOrAdmin,
  racedSlug,
  Refused,
  removeManager,
  single,
  SUCCESS,
  Case,
  Rule,
  Rules,
  Success,
} from './case';
import { change, slugsFor, touch, unversioned, ModelApi, ModelOrganization, State } from './state';

type OrganizationBody = Pick<
  ModelOrganization,
  'name' | 'url' | 'description' | 'featuredApiIds' | 'organizationLogoFileId'
>;

/** `/organizations/:id` and what is in it (contract §3 Organization, Manager, §4). */
function ofOrganization(use: (judged: Case, id: string, organization: ModelOrganization) => Success | Refused): Rule {
  return (judged) => {
    const organization = judged.state.organizations.get(idOf(judged));
    return organization ? use(judged, idOf(judged), organization) : new Refused('organizationNotFound');
  };
}

const ofManaged = (use: Parameters<typeof ofOrganization>[0]): Rule =>
  ofOrganization((judged, id, organization) => {
    const managerId = judged.request.path[3];
    if (managerId !== undefined && !organization.managerIds.includes(managerId)) return new Refused('managerNotFound');
    return managesOrAdmin(judged, id) ? use(judged, id, organization) : new Refused('forbidden');
  });

/** What is left out is cleared (contract §3). */
const organizationBody = ({ request }: Case): OrganizationBody =>
  ({ organizationLogoFileId: null, ...request.body }) as unknown as OrganizationBody;

/** The fields that name what may not be named: all at once (contract §2, Field errors). */
function wrongReferences(judged: Case, id?: string, present?: ModelOrganization): Refused | undefined {
  const { state, request } = judged;
  const { featuredApiIds, organizationLogoFileId: logo } = organizationBody(judged);
  // The first that is neither featured nor a public API of the Organization.
  const wrong = featuredApiIds.findIndex((apiId) => {
    const api = state.apis.get(apiId);
    return !present?.featuredApiIds.includes(apiId) && !(api?.isPublic === true && api.organizationId === id);
  });
  // The caller may take a File that they uploaded (Admin: any) and that is no logo.
  const file = state.files.get(logo ?? '');
  const isFree = file?.organizationId === null && (file.createdBy === request.actor || isAdmin(judged));
  const mayBeLogo = logo === null || logo === present?.organizationLogoFileId || isFree;
  const titles = [
    ...(wrong === -1 ? [] : [`featuredApiIds.${wrong}`]),
    ...(mayBeLogo ? [] : ['organizationLogoFileId']),
  ];
  return titles.length > 0 ? Object.assign(new Refused('invalidContent'), { titles }) : undefined;
}

/** Attaches the new logo; the one that it replaces stays, as a File that is no logo. */
function attachLogo({ files }: State, id: string, logo: string | null, former: string | null = null): void {
  for (const [fileId, organizationId] of [[former, null] as const, [logo, id] as const]) {
    const file = files.get(fileId ?? '');
    if (file) file.organizationId = organizationId;
  }
}

function showManager(judged: Case, id: string): object {
  const { username, companyName, email } = judged.state.users.get(id)!;
  const showsEmail = isAdmin(judged) || id === judged.request.actor;
  return { _id: id, username, companyName, email: showsEmail ? email : undefined };
}

export const organizations: Rules = {
  listOrganizations: ({ state }) => list(state.organizations, () => true),
  createOrganization: (judged) => {
    const { state, request } = judged;
    const body = organizationBody(judged);
    const wrong = wrongReferences(judged);
    if (wrong) return wrong;
    if (isTaken(state.organizations, ({ name }) => name, body.name)) return new Refused('organizationNameTaken');
    const slugs = slugsFor(state.organizations, body.name, 'organization', undefined, racedSlug(judged));
    const created = { managerIds: [request.actor], createdBy: request.actor, ...unversioned() };
    const success = create(judged, state.organizations, { ...body, ...slugs, ...created });
    attachLogo(state, (success.data as { _id: string })._id, body.organizationLogoFileId);
    return success;
  },
  getOrganization: ofOrganization((_, id, organization) => single(id, organization)),
  putOrganization: ofManaged((judged, id, organization) => {
    const { organizations: all } = judged.state;
    const body = organizationBody(judged);
    const wrong = wrongReferences(judged, id, organization);
    if (wrong) return wrong;
    if (isStale(judged, organization)) return new Refused('preconditionFailed');
    if (isTaken(all, ({ name }) => name, body.name, id)) return new Refused('organizationNameTaken');
    attachLogo(judged.state, id, body.organizationLogoFileId, organization.organizationLogoFileId);
    const slugs = slugsFor(all, body.name, 'organization', organization, racedSlug(judged));
    change(organization, { ...body, ...slugs });
    return single(id, organization);
  }),
  deleteOrganization: ofManaged((judged, id, organization) => {
    const { apis: all, files: logos, organizations: from } = judged.state;
    if (isStale(judged, organization)) return new Refused('preconditionFailed');
    for (const [apiId, { organizationId }] of all) if (organizationId === id) all.delete(apiId);
    logos.delete(organization.organizationLogoFileId ?? '');
    from.delete(id);
    return SUCCESS;
  }),
  listManagers: ofManaged((judged, _, { managerIds }) => ({ data: managerIds.map((id) => showManager(judged, id)) })),
  addManager: ofManaged((judged, _, organization) => {
    const { userId } = judged.request.body as { userId: string };
    if (!judged.state.users.has(userId)) return Object.assign(new Refused('invalidContent'), { titles: ['userId'] });
    if (organization.managerIds.includes(userId)) return new Refused('managerExists');
    organization.managerIds = [...organization.managerIds, userId];
    touch(organization);
    return { data: showManager(judged, userId) };
  }),
  getManager: ofManaged((judged) => ({ data: showManager(judged, judged.request.path[3]!) })),
  removeManager: ofManaged((judged, _, organization) => {
    if (organization.managerIds.length === 1) return new Refused('lastManager');
    removeManager(organization, judged.request.path[3]!);
    return SUCCESS;
  }),
};

type ApiBody = Pick<ModelApi, 'name' | 'url' | 'description' | 'isPublic'>;

/** `/apis/:id` (contract §3 Api, §4). */
function ofApi(use: (judged: Case, id: string, api: ModelApi) => Success | Refused): Rule {
  return (judged) => {
    const api = judged.state.apis.get(idOf(judged));
    if (!api) return new Refused('apiNotFound');
    const mayUse = (judged.request.method === 'GET' && api.isPublic) || managesOrAdmin(judged, api.organizationId);
    return mayUse ? use(judged, idOf(judged), api) : new Refused('forbidden');
  };
}

const visibleApis = (judged: Case, within?: string): Success =>
  list(
    judged.state.apis,
    ({ organizationId, isPublic }) =>
      (within === undefined || organizationId === within) && (isPublic || managesOrAdmin(judged, organizationId)),
  );

function isApiNameTaken({ state, request }: Case, organizationId: string, id?: string): boolean {
  const siblings = [...state.apis].filter(([, api]) => api.organizationId === organizationId);
  return isTaken(siblings, ({ name }) => name, (request.body as ApiBody).name, id);
}

function leaveFeatured({ organizations: all }: State, id: string, { organizationId }: ModelApi): void {
  const organization = all.get(organizationId);
  if (!organization?.featuredApiIds.includes(id)) return;
  organization.featuredApiIds = organization.featuredApiIds.filter((featured) => featured !== id);
  touch(organization);
}

export const apis: Rules = {
  listApis: (judged) => visibleApis(judged),
  listApisOf: ofOrganization((judged, id) => visibleApis(judged, id)),
  createApi: ofManaged((judged, organizationId) => {
    const { state, request } = judged;
    const body = request.body as ApiBody;
    if (isApiNameTaken(judged, organizationId)) return new Refused('apiNameTaken');
    const slugs = slugsFor(state.apis, body.name, 'api', undefined, racedSlug(judged));
    const defaults = { lifecycleStatus: 'design', documentationUrl: null, createdBy: request.actor };
    return create(judged, state.apis, { ...body, ...slugs, ...defaults, organizationId, ...unversioned() });
  }),
  getApi: ofApi((_, id, api) => single(id, api)),
  putApi: ofApi((judged, id, api) => {
    const { state, request } = judged;
    const body = request.body as ApiBody;
    if (isStale(judged, api)) return new Refused('preconditionFailed');
    if (isApiNameTaken(judged, api.organizationId, id)) return new Refused('apiNameTaken');
    change(api, { ...body, ...slugsFor(state.apis, body.name, 'api', api, racedSlug(judged)) });
    if (!body.isPublic) leaveFeatured(state, id, api);
    return single(id, api);
  }),
  deleteApi: ofApi((judged, id, api) => {
    if (isStale(judged, api)) return new Refused('preconditionFailed');
    leaveFeatured(judged.state, id, api);
    judged.state.apis.delete(id);
    return SUCCESS;
  }),
};
