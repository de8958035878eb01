import { withKey } from '../api-keys/keys';
import { filePart, form, FORM_TYPE } from '../../support/images';
import { RawClient, RawResponse, request, useRawService } from '../../platform/http/raw-client';
import { newUserBody } from '../../support/records';
import type { Client } from '../../support/client';

// Where anyone may create Users, only the roles in the body make a difference.
const server = useRawService({ REGISTRATION: 'open' });
const { service } = server;
let caller: Client;
let other: Client;
let client: RawClient;
beforeEach(async () => {
  [caller, other] = [await service.account(), await service.account()];
  await service.admin.put(`/users/${caller.id}`, caller.userBody({ roles: ['admin'] }));
  client = new RawClient(server.port);
});
afterEach(() => client.close());

const revoke = (): Promise<unknown> => service.admin.put(`/users/${caller.id}`, caller.userBody({ roles: [] }));
const logOut = (): Promise<unknown> => service.admin.delete(`/sessions/${caller.session._id}`);
const suspend = (): Promise<unknown> =>
  service.admin.put(`/users/${caller.id}`, caller.userBody({ isSuspended: true }));
const remove = (): Promise<unknown> => service.admin.delete(`/users/${caller.id}`);

/** Sends the body of a request only after something has happened since its header section arrived. */
async function sendLate(line: string, body: object, event: () => Promise<unknown>): Promise<RawResponse> {
  const text = JSON.stringify(body);
  const headers = { 'Content-Length': String(Buffer.byteLength(text)), 'Content-Type': 'application/json' };
  begin(line, { ...headers, Expect: '100-continue' });
  expect((await client.response()).status).toBe(100);
  await event();
  return client.send(text).response();
}

/** Sends the form of an upload only after something has happened since the guards ran. */
async function uploadLate(event: () => Promise<unknown>): Promise<RawResponse> {
  const bytes = form(filePart());
  const happened = new Promise<void>((resolve, reject) =>
    service.afterGuards.next(() => event().then(() => resolve(), reject)),
  );
  begin('POST /files', { 'Content-Length': String(bytes.length), ...FORM_TYPE });
  await happened;
  return client.send(bytes).response();
}

function begin(line: string, headers: Record<string, string>): void {
  const [method = '', path = ''] = line.split(' ');
  client.send(request(method, path, { Authorization: `Bearer ${caller.token}`, ...headers }));
}

const promotion = (): object => other.userBody({ roles: ['admin'] });
const newAdmin = (): object => newUserBody({ username: 'late', roles: ['admin'] });
const organization = { name: 'Late', url: 'https://late.example' };

describe('a body that arrives later than its header section', () => {
  it.each([
    ['PUT', 'the role was taken', () => `PUT /users/${other.id}`, promotion, revoke, 403],
    ['PUT', 'the session was ended', () => `PUT /users/${other.id}`, promotion, logOut, 401],
    ['POST', 'the role was taken', () => 'POST /users', newAdmin, revoke, 403],
    ['POST', 'the account was deleted', () => 'POST /users', newAdmin, remove, 401],
    ['PUT', 'the caller was suspended', () => `PUT /users/${other.id}`, promotion, suspend, 401],
    ['POST', 'the caller was suspended', () => 'POST /organizations', () => organization, suspend, 401],
    ['POST', 'the session was ended', () => 'POST /organizations', () => organization, logOut, 401],
  ])('of %s changes nothing once %s', async (_method, _event, line, body, event, status) => {
    expect((await sendLate(line(), body(), event)).status).toBe(status);
    expect(await service.model('Organization').countDocuments({ name: 'Late' })).toBe(0);
    expect(await service.model('User').countDocuments({ username: 'late' })).toBe(0);
    expect(await service.stored('User', other.id)).toMatchObject({ roles: [] });
  });

  it('with an API key changes nothing once its User was suspended', async () => {
    caller = (await withKey(caller)).program;
    const { status, body } = await sendLate('POST /organizations', organization, suspend);
    expect([status, JSON.parse(body)]).toMatchObject([403, { code: 1202 }]);
    expect(await service.model('Organization').countDocuments({ name: 'Late' })).toBe(0);
  });

  it('of an upload stores nothing once the session was ended', async () => {
    expect((await uploadLate(logOut)).status).toBe(401);
    expect(await service.model('File').countDocuments({})).toBe(0);
  });

  it('is used while the caller still may do this', async () => {
    const nothing = (): Promise<void> => Promise.resolve();
    expect((await sendLate(`PUT /users/${other.id}`, promotion(), nothing)).status).toBe(200);
    expect((await uploadLate(nothing)).status).toBe(201);
  });
});
