import { filePart, form, FORM_TYPE } from '../../support/images';
import { RawClient, RawResponse, request, useRawService } from '../../platform/http/raw-client';
import type { Client } from '../../support/client';

const server = useRawService();
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

/** Sends the body of a PUT only after something has happened since its header section arrived. */
async function putLate(event: () => Promise<unknown>): Promise<RawResponse> {
  const text = JSON.stringify(other.userBody({ roles: ['admin'] }));
  const headers = { 'Content-Length': String(Buffer.byteLength(text)), 'Content-Type': 'application/json' };
  begin('PUT', `/users/${other.id}`, { ...headers, Expect: '100-continue' });
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
  begin('POST', '/files', { 'Content-Length': String(bytes.length), ...FORM_TYPE });
  await happened;
  return client.send(bytes).response();
}

function begin(method: string, path: string, headers: Record<string, string>): void {
  client.send(request(method, path, { Authorization: `Bearer ${caller.token}`, ...headers }));
}

describe('a body that arrives later than its header section', () => {
  it.each([
    ['the role was taken', revoke, 403],
    ['the session was ended', logOut, 401],
  ])('changes nothing once %s', async (_event, event, status) => {
    expect((await putLate(event)).status).toBe(status);
    expect(await service.stored('User', other.id)).toMatchObject({ roles: [] });
  });

  it('of an upload stores nothing once the session was ended', async () => {
    expect((await uploadLate(logOut)).status).toBe(401);
    expect(await service.model('File').countDocuments({})).toBe(0);
  });

  it('is used while the caller still may do this', async () => {
    const nothing = (): Promise<void> => Promise.resolve();
    expect((await putLate(nothing)).status).toBe(200);
    expect((await uploadLate(nothing)).status).toBe(201);
  });
});
