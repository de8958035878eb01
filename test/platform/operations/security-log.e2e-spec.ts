import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { securityEvents } from '../../../src/platform/http/access/security-events';
import { postKey } from '../../registry/api-keys/keys';
import type { ApiResponse } from '../../support/client';
import { useService } from '../../support/service';

const UNKNOWN = 'a password typed as a username';
const NEW_PASSWORD = 'another password of the tests';

const service = useService();
let lines: Record<string, unknown>[];
beforeAll(() => {
  const log = (line: Record<string, unknown>, context: string): unknown => context === 'Security' && lines.push(line);
  service.app.useLogger({ log, warn: () => undefined, error: () => undefined });
});
beforeEach(() => (lines = []));

/** Fields of every line about a request. */
const of = ({ headers }: ApiResponse): object => ({ address: '127.0.0.1', requestId: headers['x-request-id'] });

const logIn = (body: object): Promise<ApiResponse> => service.nobody.post('/sessions', body);

it('The security log has a login with its User and its session', async () => {
  const user = await service.registered();
  lines = [];
  const response = await logIn({ email: user.user.email, password: user.password });
  const { _id: sessionId } = response.body.data;
  expect(lines).toEqual([{ ...of(response), msg: 'Login', event: 'login', actor: user.id, sessionId }]);
});

it('The security log has a failed login with the username of the User, but never what was sent', async () => {
  const { user } = await service.account();
  const password = 'wrong password';
  const known = [
    await logIn({ username: user.username.toUpperCase(), password }),
    await logIn({ email: user.email, password }),
  ];
  const unknown = [await logIn({ username: UNKNOWN, password }), await logIn({ email: 'x@roster.example', password })];
  const failed = { msg: 'Failed login', event: 'loginFailed', actor: undefined };
  expect(lines).toEqual([
    ...known.map((response) => ({ ...of(response), ...failed, username: user.username })),
    ...unknown.map((response) => ({ ...of(response), ...failed, username: undefined })),
  ]);
});

it('The security log has a logout with the session', async () => {
  const user = await service.account();
  const response = await user.delete(`/sessions/${user.session._id}`);
  const logout = { msg: 'Logout', event: 'logout', actor: user.id, sessionId: user.session._id };
  expect(lines).toEqual([{ ...of(response), ...logout }]);
});

it('The security log has a refresh token that is used again too late, with its session', async () => {
  const user = await service.registered();
  const refresh = (): Promise<ApiResponse> => service.nobody.post('/tokens', { refreshToken: user.refreshToken });
  await refresh();
  const now = Date.now();
  jest.spyOn(Date, 'now').mockReturnValue(now + 11_000);
  const response = await refresh();
  jest.restoreAllMocks();
  const reused = { msg: 'Refresh token used again', event: 'refreshTokenReused', actor: undefined };
  const [line] = lines.filter(({ event }) => event === 'refreshTokenReused');
  expect(line).toEqual({ ...of(response), ...reused, userId: user.id, sessionId: user.session._id });
});

it.each([
  ['roles', 'Roles changed', 'rolesChanged', ['admin'], []],
  ['isSuspended', 'Suspension changed', 'suspensionChanged', true, false],
  ['externalId', 'External id changed', 'externalIdChanged', 'one', 'two'],
])('The security log has each change of %s, also at the creation', async (field, msg, event, first, second) => {
  const { admin } = service;
  const body = { username: `user-${event}`, email: `${event}@roster.example`, companyName: 'Nets' };
  const created = await admin.post('/users', { ...body, password: NEW_PASSWORD, [field]: first });
  const put = (value: unknown, companyName = 'Nets'): Promise<ApiResponse> =>
    admin.put(created.headers.location!, { ...body, companyName, [field]: value });
  const [changed, other, again] = [await put(second), await put(second, 'Others'), await put(first)];
  expect(other.status).toBe(200);
  const change = { msg, event, actor: admin.id, userId: created.body.data._id as string };
  expect(lines).toEqual([
    { ...of(created), ...change, ...(field === 'roles' && { msg: `Admin ${body.username} created` }), [field]: first },
    { ...of(changed), ...change, [field]: second },
    { ...of(again), ...change, [field]: first },
  ]);
});

it('The security log has the end of a role with its User, and nothing of a User who had none', async () => {
  const [user, other] = [await service.registered({ roles: ['admin'] }), await service.registered()];
  lines = [];
  await service.admin.delete(`/users/${other.id}`);
  const deleted = await service.admin.delete(`/users/${user.id}`);
  const change = { msg: 'Roles changed', event: 'rolesChanged', actor: service.admin.id };
  expect(lines).toEqual([{ ...of(deleted), ...change, userId: user.id, roles: [] }]);
});

it('The security log has each API key that is created or deleted, but nothing of the key', async () => {
  const user = await service.account();
  const wrong = await postKey(user, { currentPassword: 'wrong password' });
  const created = await postKey(user);
  const { _id: apiKeyId, key } = created.body.data;
  const deleted = await user.delete(created.headers.location!);
  const common = { actor: user.id, userId: user.id, apiKeyId };
  expect(lines).toEqual([
    { ...of(wrong), msg: 'Failed login', event: 'loginFailed', actor: user.id, username: user.user.username },
    { ...of(created), msg: 'API key created', event: 'apiKeyCreated', ...common, scope: 'write' },
    { ...of(deleted), msg: 'API key deleted', event: 'apiKeyDeleted', ...common },
  ]);
  expect(JSON.stringify(lines)).not.toContain(key);
});

it('The security log has each link that is made or used, but nothing of its token', async () => {
  const user = await service.account();
  const made = await service.admin.post(`/users/${user.id}/password-links`);
  const { token } = made.body.data;
  const used = await user.with(token as string).post('/links/current', { password: NEW_PASSWORD });
  const { linkId } = lines[0]!;
  const common = { actor: user.id, linkId };
  expect(lines).toEqual([
    { ...of(made), msg: 'Link created', event: 'linkCreated', ...common, actor: service.admin.id, userId: user.id },
    { ...of(used), msg: 'Password changed', event: 'passwordChanged', actor: user.id, userId: user.id },
    { ...of(used), msg: 'Link used', event: 'linkUsed', ...common },
  ]);
  expect(JSON.stringify(lines)).not.toContain(token);
});

it('The security log has each change of a password, and a wrong current one as a failed login', async () => {
  const user = await service.account();
  const path = `/users/${user.id}`;
  const put = (currentPassword: string): Promise<ApiResponse> =>
    user.put(path, user.userBody({ password: NEW_PASSWORD, currentPassword }));
  const wrong = await put('wrong password');
  const changed = await put(user.password);
  const same = await service.admin.put(path, user.userBody({ password: NEW_PASSWORD }));
  expect([wrong.status, changed.status, same.status]).toEqual([400, 200, 200]);
  expect(lines).toEqual([
    { ...of(wrong), msg: 'Failed login', event: 'loginFailed', actor: user.id, username: user.user.username },
    { ...of(changed), msg: 'Password changed', event: 'passwordChanged', actor: user.id, userId: user.id },
  ]);
});

it('The security log has every request that was refused without a login or permission, and no other', async () => {
  const user = await service.account();
  const path = `/users/${service.admin.id}/api-keys`;
  const anonymous = await service.nobody.get(`${path}?q=${NEW_PASSWORD}`);
  const forged = await service.nobody.get('/users', { authorization: 'Bearer forged' });
  const forbidden = await user.get(path);
  const roles = await user.put(`/users/${user.id}`, user.userBody({ roles: ['admin'] }));
  await user.get('/users/none');
  const refused = { msg: 'Access refused', event: 'accessRefused' };
  expect(lines).toEqual([
    { ...of(anonymous), ...refused, actor: undefined, method: 'GET', path, status: 401 },
    { ...of(forged), ...refused, actor: undefined, method: 'GET', path: '/users', status: 401 },
    { ...of(forbidden), ...refused, actor: user.id, method: 'GET', path, status: 403 },
    { ...of(roles), ...refused, actor: user.id, method: 'PUT', path: `/users/${user.id}`, status: 403 },
  ]);
});

test('docs/operating.md describes every event', () => {
  const text = readFileSync(join(__dirname, '../../../docs/operating.md'), 'utf8');
  const [, table = ''] = /^## The events of the security log$([^]*?)^## /m.exec(text) ?? [];
  const events = [...table.matchAll(/^- `(\w+)`: /gm)].map(([, event]) => event);
  expect(events.sort()).toEqual(Object.keys(securityEvents).sort());
});
