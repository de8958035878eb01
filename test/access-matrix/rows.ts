import { randomBytes } from 'node:crypto';
import { apiBody } from '../apis/api-records';
import { form, FORM_TYPE, PIXEL } from '../contract/world';
import type { Headers } from '../support/client';
import { organizationBody } from '../support/records';
import type { Caller, World } from './world';

/** What a request of a row is about. */
interface Sent {
  path: string;
  payload?: unknown;
  headers?: Headers;
}

/** One operation, with what each caller of `CALLERS` is answered. */
export interface Row {
  /** `PUT /users/:id`, and in brackets whose record it is. */
  readonly name: string;
  readonly statuses: readonly number[];
  /** The request of a caller, on records made for it. */
  readonly request: (world: World, caller: Caller) => Promise<Sent> | Sent;
}

const ANYONE = [201, 201, 201, 201, 201];
const reading = [401, 200, 200, 200, 200];
const creating = [401, 201, 201, 201, 201];
const ofManagers = (status: number): number[] => [401, 403, 403, status, status];
const ofAdmins = (status: number): number[] => [401, 403, 403, 403, status];
const ofAccounts = (status: number): number[] => [401, status, status, status, status];

const unique = (): string => randomBytes(5).toString('hex');
const newUser = (): object => {
  const username = `new-${unique()}`;
  return { username, companyName: 'New', email: `${username}@roster.example`, password: 'a new passphrase' };
};
const upload = { payload: form(PIXEL), headers: { 'content-type': FORM_TYPE } };

const sessions: Row[] = [
  {
    name: 'POST /sessions',
    statuses: ANYONE,
    request: ({ somebody: { user, password } }) => ({
      path: '/sessions',
      payload: { username: user.username, password },
    }),
  },
  { name: 'GET /sessions', statuses: reading, request: () => ({ path: '/sessions' }) },
  {
    name: 'GET /sessions/:id (one’s own)',
    statuses: reading,
    request: async (world, caller) => ({ path: `/sessions/${(await world.login(world.own(caller))).session._id}` }),
  },
  {
    name: 'GET /sessions/:id (another’s)',
    statuses: ofAdmins(200),
    request: async (world) => ({ path: `/sessions/${(await world.login(world.somebody)).session._id}` }),
  },
  {
    name: 'DELETE /sessions/:id (one’s own)',
    statuses: ofAccounts(204),
    request: async (world, caller) => ({ path: `/sessions/${(await world.login(world.own(caller))).session._id}` }),
  },
  {
    name: 'DELETE /sessions/:id (another’s)',
    statuses: ofAdmins(204),
    request: async (world) => ({ path: `/sessions/${(await world.login(world.somebody)).session._id}` }),
  },
  {
    name: 'POST /tokens',
    statuses: ANYONE,
    request: async (world) => {
      const { refreshToken } = await world.login(world.somebody);
      return { path: '/tokens', payload: { refreshToken } };
    },
  },
];

const users: Row[] = [
  {
    name: 'POST /users',
    statuses: ofAdmins(201),
    request: () => ({ path: '/users', payload: newUser() }),
  },
  { name: 'GET /users', statuses: reading, request: () => ({ path: '/users' }) },
  {
    name: 'GET /users/:id (oneself)',
    statuses: reading,
    request: (world, caller) => ({ path: `/users/${world.own(caller).id}` }),
  },
  {
    name: 'GET /users/:id (another)',
    statuses: ofAdmins(200),
    request: (world) => ({ path: `/users/${world.somebody.id}` }),
  },
  {
    name: 'PUT /users/:id (oneself)',
    statuses: ofAccounts(200),
    request: (world, caller) => {
      const { user, id } = world.own(caller);
      return { path: `/users/${id}`, payload: { ...user, companyName: unique() } };
    },
  },
  {
    name: 'PUT /users/:id (another)',
    statuses: ofAdmins(200),
    request: ({ somebody: { user, id } }) => ({ path: `/users/${id}`, payload: { ...user, companyName: unique() } }),
  },
  {
    name: 'DELETE /users/:id (another)',
    statuses: ofAdmins(204),
    request: async (world) => ({ path: `/users/${(await world.user()).id}` }),
  },
];

/** A row about an Organization of the Manager. */
function organizationRow(name: string, statuses: number[], payload?: (world: World) => unknown): Row {
  return {
    name,
    statuses,
    request: async (world) => {
      const path = name.replace(/^\w+ /, '').replace(':id', await world.organization());
      return { path: path.replace(':managerId', world.somebody.id), payload: payload && (await payload(world)) };
    },
  };
}

const organizations: Row[] = [
  { name: 'GET /organizations', statuses: reading, request: () => ({ path: '/organizations' }) },
  {
    name: 'POST /organizations',
    statuses: creating,
    request: () => ({ path: '/organizations', payload: organizationBody() }),
  },
  organizationRow('GET /organizations/:id', reading),
  organizationRow('PUT /organizations/:id', ofManagers(200), () => organizationBody()),
  organizationRow('DELETE /organizations/:id', ofManagers(204)),
  organizationRow('GET /organizations/:id/managers', ofManagers(200)),
  organizationRow('POST /organizations/:id/managers', ofManagers(201), (world) => ({
    userId: world.callers.account.id,
  })),
  organizationRow('GET /organizations/:id/managers/:managerId', ofManagers(200)),
  organizationRow('DELETE /organizations/:id/managers/:managerId', ofManagers(204)),
  organizationRow('GET /organizations/:id/apis', reading),
  organizationRow('POST /organizations/:id/apis', ofManagers(201), () => apiBody()),
];

/** A row about an Api of an Organization of the Manager. */
function apiRow(name: string, isPublic: boolean, statuses: number[], payload?: () => unknown): Row {
  return {
    name: `${name} (${isPublic ? 'public' : 'private'})`,
    statuses,
    request: async (world) => ({ path: `/apis/${await world.api(isPublic)}`, payload: payload?.() }),
  };
}

const apis: Row[] = [
  { name: 'GET /apis', statuses: reading, request: () => ({ path: '/apis' }) },
  apiRow('GET /apis/:id', true, reading),
  apiRow('GET /apis/:id', false, ofManagers(200)),
  ...[true, false].flatMap((isPublic) => [
    apiRow('PUT /apis/:id', isPublic, ofManagers(200), () => apiBody()),
    apiRow('DELETE /apis/:id', isPublic, ofManagers(204)),
  ]),
];

const files: Row[] = [
  { name: 'POST /files', statuses: creating, request: () => ({ path: '/files', ...upload }) },
  {
    name: 'GET /files/:id',
    statuses: reading,
    request: async (world) => ({ path: `/files/${await world.file(world.somebody)}` }),
  },
  {
    name: 'DELETE /files/:id (one’s own)',
    statuses: ofAccounts(204),
    request: async (world, caller) => ({ path: `/files/${await world.file(world.own(caller))}` }),
  },
  {
    name: 'DELETE /files/:id (another’s)',
    statuses: ofAdmins(204),
    request: async (world) => ({ path: `/files/${await world.file(world.somebody)}` }),
  },
];

/** Contract §4, a row for each operation and for each kind of record that it makes a difference for. */
export const rows: readonly Row[] = [...sessions, ...users, ...organizations, ...apis, ...files];

/** Rows that the settings change. */
export const modes: readonly { name: string; env: Record<string, string>; changed: Record<string, number[]> }[] = [
  { name: 'by default', env: {}, changed: {} },
  { name: 'with REGISTRATION=open', env: { REGISTRATION: 'open' }, changed: { 'POST /users': ANYONE } },
  {
    name: 'with ORGANIZATION_CREATION=admin',
    env: { ORGANIZATION_CREATION: 'admin' },
    changed: { 'POST /organizations': ofAdmins(201) },
  },
];
