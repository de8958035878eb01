import { AccountLoader } from '../../../src/platform/http/access/account';
import { User } from '../../../src/registry/users/user.schema';
import { ApiResponse, Client } from '../../support/client';
import { Expected, expectOutcome } from '../../support/expect-error';
import { meanwhile, MOMENTS } from '../../support/meanwhile';
import { createOrganization, newManager } from '../../support/records';
import { filePart, form, FORM_TYPE } from '../../support/uploads.mjs';
import { RawClient, RawResponse, request, useRawService } from '../../support/raw-client';

const [NEXT, THIRD] = ['the next password of the tests', 'a third password of the tests'];

const server = useRawService();
const { service } = server;
let account: Client;
let other: Client;
let path: string;
beforeEach(async () => {
  [account, other] = [await service.account(), await service.account()];
  path = `/users/${account.id}`;
});

const put = (changes: object, client = service.admin): Promise<ApiResponse> =>
  client.put(path, account.userBody(changes));
const promote = (): Promise<ApiResponse> => put({ roles: ['admin'] });
const remove = (client = account): Promise<ApiResponse> => client.delete(path);
const stored = (): Promise<User | null> => service.stored<User>('User', account.id);

describe.each(MOMENTS)('%s', (moment) => {
  it('of PUT: an Admin sets another password, which ends the session: refused', async () => {
    const request = (): Promise<ApiResponse> => put({ password: THIRD, currentPassword: account.password }, account);
    const refused: Expected =
      moment === 'after the guards' ? ['wrongCurrentPassword', 'currentPassword'] : 'accountGone';
    expectOutcome(await meanwhile(service, moment, () => put({ password: NEXT }), request), refused);
    expect(await stored()).toMatchObject({ revision: 1, sessions: [] });
  });

  it('of PUT: the caller loses the role of Admin: they do not give it back to themselves', async () => {
    await promote();
    const request = (): Promise<ApiResponse> => put({ roles: ['admin'], companyName: 'Other' }, account);
    expectOutcome(await meanwhile(service, moment, () => put({ roles: [] }), request), 'forbidden');
    expect(await stored()).toMatchObject({ roles: [], companyName: account.user.companyName });
  });

  it('of PUT by the User: an Admin changes the e-mail address: they do not change it back', async () => {
    const email = `${account.user.username}@elsewhere.example`;
    const request = (): Promise<ApiResponse> => put({ companyName: 'Other' }, account);
    expectOutcome(await meanwhile(service, moment, () => put({ email }), request), 'forbidden');
    expect(await stored()).toMatchObject({ email, companyName: account.user.companyName });
  });

  it('of DELETE: the User becomes the last Manager of an Organization: they stay', async () => {
    const { _id } = await createOrganization(other);
    account = await newManager(service, _id);
    path = `/users/${account.id}`;
    const leave = (): Promise<ApiResponse> => other.delete(`/organizations/${_id}/managers/${other.id}`);
    expectOutcome(await meanwhile(service, moment, leave, remove), 'lastManager');
    expect(await service.stored('Organization', _id)).toMatchObject({ managers: [{ _id: (await stored())?._id }] });
  });

  it('of PUT of a password: the User logs in with the old one: that session ends', async () => {
    const logIn = (): Promise<unknown> =>
      service.logIn({ username: account.user.username, password: account.password });
    const request = (): Promise<ApiResponse> => put({ password: NEXT, currentPassword: account.password }, account);
    expectOutcome(await meanwhile(service, moment, logIn, request), 200);
    expect((await stored())?.sessions.map(({ _id }) => String(_id))).toEqual([account.session._id]);
  });
});

describe('a User who is deleted in the moment of their request gets 401, as for any request after it:', () => {
  const key = { name: 'Import', scope: 'read' };
  const requests: [string, (me: string) => Promise<ApiResponse>][] = [
    ['GET', (me) => account.get(me)],
    ['PUT', (me) => account.put(me, account.userBody({ companyName: 'Other' }))],
    ['PUT of a password', (me) => account.put(me, account.userBody({ password: NEXT }))],
    ['DELETE', (me) => account.delete(me)],
    ['GET of API keys', (me) => account.get(`${me}/api-keys`)],
    ['POST of an API key', (me) => account.post(`${me}/api-keys`, { ...key, currentPassword: account.password })],
    ['GET of an API key', (me) => account.get(`${me}/api-keys/${account.id}`)],
    ['DELETE of an API key', (me) => account.delete(`${me}/api-keys/${account.id}`)],
  ];
  const removed = async (): Promise<unknown> => expectOutcome(await remove(service.admin), 204);

  it.each(requests)('%s, after their account was read', async (_title, send) => {
    const accounts = service.app.get(AccountLoader, { strict: false });
    const load = accounts.load.bind(accounts);
    // `me` is read after it.
    jest.spyOn(accounts, 'load').mockImplementationOnce(async (claims) => {
      const loaded = await load(claims);
      await removed();
      return loaded;
    });
    expectOutcome(await send('/users/me'), 'accountGone');
  });

  // What needs no further read of the User is done before the deletion.
  it.each(requests.filter(([title]) => !/^GET(?: of an API key)?$|^DELETE of/.test(title)))(
    '%s, after the guards',
    async (_title, send) => {
      expectOutcome(await meanwhile(service, 'after the guards', removed, () => send('/users/me')), 'accountGone');
    },
  );
});

describe('of two Admins one stays when', () => {
  const change = (by: Client, user: Client, changes: object): Promise<ApiResponse> =>
    by.put(`/users/${user.id}`, user.userBody(changes));
  const giveUp = (admin: Client): Promise<ApiResponse> => change(admin, admin, { roles: [] });
  const leave = (admin: Client): Promise<ApiResponse> => admin.delete(`/users/${admin.id}`);
  const first = (): Client => service.admin;
  const eachOther = (changes: object): [() => Promise<unknown>, () => Promise<ApiResponse>] => [
    () => change(first(), account, changes),
    () => change(account, first(), changes),
  ];

  it.each<[string, () => Promise<unknown>, () => Promise<ApiResponse>, Expected]>([
    ['both give up the role', () => giveUp(account), () => giveUp(first()), 'lastAdmin'],
    ['both delete themselves', () => leave(account), () => leave(first()), 'lastAdmin'],
    ['one gives it up and the other is deleted', () => giveUp(account), () => leave(first()), 'lastAdmin'],
    ['one is deleted and the other gives it up', () => leave(account), () => giveUp(first()), 'lastAdmin'],
    ['each takes the role of the other', ...eachOther({ roles: [] }), 'forbidden'],
    ['each suspends the other', ...eachOther({ isSuspended: true }), 'accountGone'],
  ])('%s', async (_title, event, request, expected) => {
    await promote();
    expectOutcome(await meanwhile(service, 'after the first write', event, request), expected);
    expect(await service.model('User').countDocuments({ roles: 'admin', isSuspended: false })).toBe(1);
    await service.model('User').deleteOne({ _id: account.id });
  });
});

describe('a body that arrives later than its header section', () => {
  let client: RawClient;
  beforeEach(async () => {
    await promote();
    client = new RawClient(server.port);
  });
  afterEach(() => client.close());

  const revoke = (): Promise<unknown> => put({ roles: [] });
  const logOut = (): Promise<unknown> => service.admin.delete(`/sessions/${account.session._id}`);
  const begin = (method: string, to: string, headers: Record<string, string>): RawClient =>
    client.send(request(method, to, { Authorization: `Bearer ${account.token}`, ...headers }));

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
