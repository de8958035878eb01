import {
  create,
  idOf,
  isStale,
  isTaken,
  list,
  managesOrAdmin,
  Refused,
  removeManager,
  single,
  SUCCESS,
  Call,
  Rule,
  Rules,
  Success,
} from './call';
import { change, touch, unversioned, ModelApi, ModelOrganization, State } from './state';

type OrganizationBody = Pick<ModelOrganization, 'name' | 'url' | 'description' | 'featuredApiIds'>;

/** `/organizations/:id` and what is in it (contract §3 Organization, Manager, §4). */
function ofOrganization(use: (call: Call, id: string, organization: ModelOrganization) => Success | Refused): Rule {
  return (call) => {
    const organization = call.state.organizations.get(idOf(call));
    return organization ? use(call, idOf(call), organization) : new Refused('organizationNotFound');
  };
}

const ofManagers = (use: Parameters<typeof ofOrganization>[0]): Rule =>
  ofOrganization((call, id, organization) => {
    const managerId = call.request.path[3];
    const isThere = managerId === undefined || organization.managerIds.includes(managerId);
    return isThere ? use(call, id, organization) : new Refused('managerNotFound');
  });

const ofManaged = (use: Parameters<typeof ofOrganization>[0]): Rule =>
  ofManagers((call, id, organization) =>
    managesOrAdmin(call, id) ? use(call, id, organization) : new Refused('forbidden'),
  );

const organizationBody = ({ request }: Call): OrganizationBody => request.body as unknown as OrganizationBody;

/** The first of the featured APIs that is neither featured already nor a public API of the Organization. */
function wrongReference(call: Call, id?: string, present?: ModelOrganization): Refused | undefined {
  const { state } = call;
  const { featuredApiIds } = organizationBody(call);
  const wrong = featuredApiIds.findIndex((apiId) => {
    const api = state.apis.get(apiId);
    return !present?.featuredApiIds.includes(apiId) && !(api?.isPublic === true && api.organizationId === id);
  });
  if (wrong === -1) return undefined;
  return Object.assign(new Refused('invalidContent'), { titles: [`featuredApiIds.${wrong}`] });
}

function showManager(call: Call, organizationId: string, id: string): object {
  const { username, companyName, email } = call.state.users.get(id)!;
  const showsEmail = managesOrAdmin(call, organizationId);
  return { _id: id, username, companyName, email: showsEmail ? email : undefined };
}

export const organizations: Rules = {
  listOrganizations: ({ state }) => list(state.organizations, () => true),
  createOrganization: (call) => {
    const { state, request } = call;
    const body = organizationBody(call);
    const wrong = wrongReference(call);
    if (wrong) return wrong;
    if (isTaken(state.organizations, ({ name }) => name, body.name)) return new Refused('organizationNameTaken');
    const created = { managerIds: [request.actor], createdBy: request.actor, ...unversioned() };
    return create(call, state.organizations, { ...body, ...created });
  },
  getOrganization: ofOrganization((_, id, organization) => single(id, organization)),
  putOrganization: ofManaged((call, id, organization) => {
    const { organizations: all } = call.state;
    const body = organizationBody(call);
    const wrong = wrongReference(call, id, organization);
    if (wrong) return wrong;
    if (isStale(call, organization)) return new Refused('preconditionFailed');
    if (isTaken(all, ({ name }) => name, body.name, id)) return new Refused('organizationNameTaken');
    change(organization, body);
    return single(id, organization);
  }),
  deleteOrganization: ofManaged((call, id, organization) => {
    const { apis: all, organizations: from } = call.state;
    if (isStale(call, organization)) return new Refused('preconditionFailed');
    for (const [apiId, { organizationId }] of all) if (organizationId === id) all.delete(apiId);
    from.delete(id);
    return SUCCESS;
  }),
  listManagers: ofManagers((call, id, { managerIds }) => ({
    data: managerIds.map((managerId) => showManager(call, id, managerId)),
  })),
  addManager: ofManaged((call, id, organization) => {
    const { userId } = call.request.body as { userId: string };
    if (!call.state.users.has(userId)) return Object.assign(new Refused('invalidContent'), { titles: ['userId'] });
    if (organization.managerIds.includes(userId)) return new Refused('managerExists');
    organization.managerIds = [...organization.managerIds, userId];
    touch(organization);
    return { data: showManager(call, id, userId) };
  }),
  getManager: ofManagers((call, id) => ({ data: showManager(call, id, call.request.path[3]!) })),
  removeManager: ofManaged((call, _, organization) => {
    if (organization.managerIds.length === 1) return new Refused('lastManager');
    removeManager(organization, call.request.path[3]!);
    return SUCCESS;
  }),
};

type ApiBody = Pick<ModelApi, 'name' | 'url' | 'description' | 'isPublic'>;

/** `/apis/:id` (contract §3 Api, §4). */
function ofApi(use: (call: Call, id: string, api: ModelApi) => Success | Refused): Rule {
  return (call) => {
    const api = call.state.apis.get(idOf(call));
    if (!api) return new Refused('apiNotFound');
    const mayUse = (call.request.method === 'GET' && api.isPublic) || managesOrAdmin(call, api.organizationId);
    return mayUse ? use(call, idOf(call), api) : new Refused('forbidden');
  };
}

const visibleApis = (call: Call, within?: string): Success =>
  list(
    call.state.apis,
    ({ organizationId, isPublic }) =>
      (within === undefined || organizationId === within) && (isPublic || managesOrAdmin(call, organizationId)),
  );

function isApiNameTaken({ state, request }: Call, organizationId: string, id?: string): boolean {
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
  listApis: (call) => visibleApis(call),
  listApisOf: ofOrganization((call, id) => visibleApis(call, id)),
  createApi: ofManaged((call, organizationId) => {
    const { state, request } = call;
    const body = request.body as ApiBody;
    if (isApiNameTaken(call, organizationId)) return new Refused('apiNameTaken');
    const defaults = { lifecycleStatus: 'design', documentationUrl: null, createdBy: request.actor };
    return create(call, state.apis, { ...body, ...defaults, organizationId, ...unversioned() });
  }),
  getApi: ofApi((_, id, api) => single(id, api)),
  putApi: ofApi((call, id, api) => {
    const { state, request } = call;
    const body = request.body as ApiBody;
    if (isStale(call, api)) return new Refused('preconditionFailed');
    if (isApiNameTaken(call, api.organizationId, id)) return new Refused('apiNameTaken');
    change(api, body);
    if (!body.isPublic) leaveFeatured(state, id, api);
    return single(id, api);
  }),
  deleteApi: ofApi((call, id, api) => {
    if (isStale(call, api)) return new Refused('preconditionFailed');
    leaveFeatured(call.state, id, api);
    call.state.apis.delete(id);
    return SUCCESS;
  }),
};
