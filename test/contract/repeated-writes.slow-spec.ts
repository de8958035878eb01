import { Logger } from '@nestjs/common';
import { LoginLimits } from '../../src/platform/operations/limits/login-limits';
import { RateLimits } from '../../src/platform/operations/limits/rate-limits';
import { Passwords } from '../../src/registry/users/passwords';
import { createApi } from '../registry/apis/api-records';
import { onWrites } from '../support/meanwhile';
import { createOrganization, newUserBody } from '../support/records';
import { Client, PASSWORD, useService } from '../support/service';

const service = useService({ REGISTRATION: 'open', REGISTRATIONS_PER_HOUR: '2' });
afterEach(() => jest.restoreAllMocks());

/** Refuses the first writes of transactions with a conflict, as often as this. */
function conflicting(times: number): () => void {
  let refused = 0;
  return onWrites(service, (write) => {
    refused += 1;
    return refused <= times ? Promise.reject(Object.assign(new Error('conflict'), { code: 112 })) : write();
  });
}

test('50 clients that PUT one Organization at the same time without If-Match all get 200', async () => {
  const { _id } = await createOrganization(service.admin);
  const { body } = await service.admin.get(`/organizations/${_id}`);
  const puts = Array.from({ length: 50 }, (_, number) =>
    service.admin.put(`/organizations/${_id}`, { ...body, description: `Number ${number}.` }),
  );
  const statuses = (await Promise.all(puts)).map(({ status }) => status);
  expect(statuses).toEqual(puts.map(() => 200));
  expect((await service.admin.get(`/organizations/${_id}`)).headers.etag).toContain('-50"');
});

test('20 Users that one Admin creates at the same time are all created', async () => {
  const creations = Array.from({ length: 20 }, () => service.admin.post('/users', newUserBody()));
  expect((await Promise.all(creations)).map(({ status }) => status)).toEqual(creations.map(() => 201));
});

test.each([
  ['one account', () => Promise.resolve(Array<Client>(20).fill(service.admin))],
  ['twenty accounts', () => service.accountsOf(20)],
])(
  '20 Organizations with one slug base that %s creates at the same time all have their own',
  async (title, clientsOf) => {
    const clients = await clientsOf();
    const creations = clients.map((client, number) =>
      createOrganization(client, { name: `Of ${title}${'!'.repeat(number)}` }),
    );
    const indexes = (await Promise.all(creations)).map(({ friendlySlugs }) => friendlySlugs.slug.index);
    expect(new Set(indexes).size).toBe(clients.length);
  },
);

test.each([
  ['Organizations', () => createOrganization(service.admin)],
  ['APIs of one Organization', (_id: string) => createApi(service.admin, _id)],
])('20 %s that one account creates at the same time are created in the first attempt', async (_title, create) => {
  const { _id } = await createOrganization(service.admin);
  const startSession = jest.spyOn(service.connection.getClient(), 'startSession');
  await Promise.all(Array.from({ length: 20 }, () => create(_id)));
  // The driver gives reads sessions of their own, with options. Each attempt has one of ours.
  expect(startSession.mock.calls.filter((options) => options.length === 0)).toHaveLength(20);
  startSession.mockRestore();
});

describe('a write of three attempts', () => {
  it('compares and hashes a password once, and is one line of the security log', async () => {
    const user = await service.registered();
    const spies = [jest.spyOn(service.app.get(LoginLimits), 'attempt'), jest.spyOn(service.app.get(Passwords), 'hash')];
    const logged = jest.spyOn(Logger.prototype, 'log');
    const restore = conflicting(2);
    const body = user.userBody({ password: 'another password of the tests', currentPassword: PASSWORD });
    const { status } = await user.put(`/users/${user.id}`, body);
    restore();
    expect(status).toBe(200);
    expect(spies.map((spy) => spy.mock.calls.length)).toEqual([1, 1]);
    const lines = logged.mock.calls.filter(([line]) => (line as { event?: string }).event === 'passwordChanged');
    expect(lines).toHaveLength(1);
    logged.mockRestore();
  });

  it('counts a registration once, and not at all if it fails', async () => {
    const count = jest.spyOn(service.app.get(RateLimits), 'countRegistration');
    const uncount = jest.spyOn(service.app.get(RateLimits), 'refundRegistration');
    const register = (times: number) => {
      const restore = conflicting(times);
      return service.nobody.post('/users', newUserBody()).finally(restore);
    };
    expect((await register(2)).status).toBe(201);
    expect([count.mock.calls.length, uncount.mock.calls.length]).toEqual([1, 0]);
    expect((await register(Infinity)).body).toMatchObject({ code: 1510 });
    expect([count.mock.calls.length, uncount.mock.calls.length]).toEqual([2, 1]);
    expect((await register(0)).status).toBe(201);
    expect((await register(0)).body).toMatchObject({ code: 1700 });
  });
});
