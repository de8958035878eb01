import { randomBytes } from 'node:crypto';
import { apiBody, createApi } from '../registry/apis/api-records';
import { keysOf, withKey } from '../registry/api-keys/keys';
import { uploaded } from '../registry/files/uploads';
import type { Client, Headers } from '../support/client';
import { filePart, form, FORM_TYPE } from '../support/images';
import { createOrganization, newUserBody, organizationBody } from '../support/records';
import type { Caller, Fixtures } from './fixtures';

/** Request of a row. */
interface Sent {
  path: string;
  payload?: unknown;
  headers?: Headers;
}

/** One operation, with the status for each of `CALLERS`. */
export interface Row {
  /** `PUT /users/:id`, and in brackets whose record it is. */
  readonly name: string;
  readonly statuses: readonly number[];
  /** The request of a caller, on records made for it. */
  readonly request: (fixtures: Fixtures, caller: Caller) => Promise<Sent> | Sent;
}

const ANYONE = [201, 201, 201, 201, 201];
const reading = [401, 200, 200, 200, 200];
const creating = [401, 201, 201, 201, 201];
const ofManagers = (status: number): number[] => [401, 403, 403, status, status];
const ofAdmins = (status: number): number[] => [401, 403, 403, 403, status];
const ofAccounts = (status: number): number[] => [401, status, status, status, status];

const unique = (): string => randomBytes(5).toString('hex');

const row = (name: string, statuses: readonly number[], request: Row['request']): Row => ({ name, statuses, request });
const at = (path: string, statuses: readonly number[]): Row => row(`GET ${path}`, statuses, () => ({ path }));

/** GET, PUT and DELETE of a record that is the caller's, and of another User's. */
type Owned = (fixtures: Fixtures, owner: Client) => Promise<Sent> | Sent;
const ofOneself = (name: string, statuses: number[], sent: Owned): Row =>
  row(`${name} (own)`, statuses, (fixtures, caller) => sent(fixtures, fixtures.own(caller)));
const ofAnother = (name: string, status: number, sent: Owned): Row =>
  row(`${name} (another’s)`, ofAdmins(status), (fixtures) => sent(fixtures, fixtures.another));

const session: Owned = async (fixtures, owner) => ({ path: `/sessions/${(await fixtures.login(owner)).session._id}` });
const sessions: Row[] = [
  row('POST /sessions', ANYONE, ({ another: { user, password } }) => ({
    path: '/sessions',
    payload: { username: user.username, password },
  })),
  at('/sessions', reading),
  ofOneself('GET /sessions/:id', reading, session),
  ofAnother('GET /sessions/:id', 200, session),
  ofOneself('DELETE /sessions/:id', ofAccounts(204), session),
  ofAnother('DELETE /sessions/:id', 204, session),
  row('POST /tokens', ANYONE, async (fixtures) => {
    const { refreshToken } = await fixtures.login(fixtures.another);
    return { path: '/tokens', payload: { refreshToken } };
  }),
];

const user: Owned = (_, { id }) => ({ path: `/users/${id}` });
const changedUser: Owned = (_, owner) => ({
  path: `/users/${owner.id}`,
  payload: owner.userBody({ companyName: unique() }),
});
const users: Row[] = [
  row('POST /users', ofAdmins(201), () => ({ path: '/users', payload: newUserBody() })),
  at('/users', reading),
  ofOneself('GET /users/:id', reading, user),
  ofAnother('GET /users/:id', 200, user),
  ofOneself('PUT /users/:id', ofAccounts(200), changedUser),
  ofAnother('PUT /users/:id', 200, changedUser),
  row('DELETE /users/:id (another’s)', ofAdmins(204), async (fixtures) =>
    user(fixtures, await fixtures.service.account()),
  ),
];

const keys: Owned = (_, owner) => ({ path: keysOf(owner) });
const key: Owned = async (_, owner) => ({ path: `${keysOf(owner)}/${(await withKey(owner)).key._id}` });
const newKey = (owner: Client, { password }: Client): Sent => ({
  path: keysOf(owner),
  payload: { name: 'New', scope: 'read', currentPassword: password },
});
const apiKeys: Row[] = [
  ofOneself('GET /users/:id/api-keys', reading, keys),
  ofAnother('GET /users/:id/api-keys', 200, keys),
  ofOneself('POST /users/:id/api-keys', creating, (_, owner) => newKey(owner, owner)),
  row('POST /users/:id/api-keys (another’s)', ofAdmins(201), (fixtures, caller) =>
    newKey(fixtures.another, fixtures.own(caller)),
  ),
  ofOneself('GET /users/:id/api-keys/:keyId', reading, key),
  ofAnother('GET /users/:id/api-keys/:keyId', 200, key),
  ofOneself('DELETE /users/:id/api-keys/:keyId', ofAccounts(204), key),
  ofAnother('DELETE /users/:id/api-keys/:keyId', 204, key),
];

/** A row about an Organization of the Manager. */
function organizationRow(name: string, statuses: number[], payload?: (fixtures: Fixtures) => unknown): Row {
  return row(name, statuses, async (fixtures) => {
    const path = name.replace(/^\w+ /, '').replace(':id', await fixtures.organization());
    return { path: path.replace(':managerId', fixtures.another.id), payload: payload && (await payload(fixtures)) };
  });
}

const organizations: Row[] = [
  at('/organizations', reading),
  row('POST /organizations', creating, () => ({ path: '/organizations', payload: organizationBody() })),
  organizationRow('GET /organizations/:id', reading),
  organizationRow('PUT /organizations/:id', ofManagers(200), () => organizationBody()),
  organizationRow('DELETE /organizations/:id', ofManagers(204)),
  organizationRow('GET /organizations/:id/managers', reading),
  organizationRow('POST /organizations/:id/managers', ofManagers(201), (fixtures) => ({
    userId: fixtures.callers.account.id,
  })),
  organizationRow('GET /organizations/:id/managers/:managerId', reading),
  organizationRow('DELETE /organizations/:id/managers/:managerId', ofManagers(204)),
  organizationRow('GET /organizations/:id/apis', reading),
  organizationRow('POST /organizations/:id/apis', ofManagers(201), () => apiBody()),
  organizationRow('GET /organizations/:id/events', ofManagers(200)),
  at('/events', ofAdmins(200)),
];

/** A row about an API of an Organization of the Manager. */
function apiRow(name: string, isPublic: boolean, statuses: number[], payload?: () => unknown): Row {
  return row(`${name} (${isPublic ? 'public' : 'private'})`, statuses, async (fixtures) => {
    const { _id } = await createApi(fixtures.callers.Manager, await fixtures.organization(), { isPublic });
    return { path: `/apis/${_id}`, payload: payload?.() };
  });
}

const apis: Row[] = [
  at('/apis', reading),
  apiRow('GET /apis/:id', true, reading),
  apiRow('GET /apis/:id', false, ofManagers(200)),
  ...[true, false].flatMap((isPublic) => [
    apiRow('PUT /apis/:id', isPublic, ofManagers(200), () => apiBody()),
    apiRow('DELETE /apis/:id', isPublic, ofManagers(204)),
  ]),
];

const file: Owned = async (_, owner) => ({ path: `/files/${(await uploaded(owner))._id}` });
const files: Row[] = [
  row('POST /files', creating, () => ({ path: '/files', payload: form(filePart()), headers: FORM_TYPE })),
  at('/files', reading),
  ofOneself('GET /files/:id', reading, file),
  ofAnother('GET /files/:id', 200, file),
  row('GET /files/:id (a logo)', reading, async ({ callers: { Admin } }) => {
    const { _id: organizationLogoFileId } = await uploaded(Admin);
    await createOrganization(Admin, { organizationLogoFileId });
    return { path: `/files/${organizationLogoFileId}` };
  }),
  ofOneself('DELETE /files/:id', ofAccounts(204), file),
  ofAnother('DELETE /files/:id', 204, file),
];

/** Contract §4, a row for each operation and for each kind of record that it makes a difference for. */
export const rows: readonly Row[] = [
  // One resource per line.
  ...sessions,
  ...users,
  ...apiKeys,
  ...organizations,
  ...apis,
  ...files,
];

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
