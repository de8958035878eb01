import { readImage } from '../../src/registry/files/image';
import { Counts, seed } from '../../src/commands/seed/seed';
import { brokenInvariants } from '../support/broken-invariants';
import type { Client } from '../support/client';
import { Paper } from '../support/paper';
import { startCommand } from '../support/programs';
import type { Shown } from '../support/scene';
import { Service, startService, useService } from '../support/service';

const PASSWORD = 'a demo of the tests';
const NUMBERS: Counts = { users: 7, organizations: 5, apis: 12, company: false };
const COMPANY: Counts = { users: 0, organizations: 0, apis: 0, company: true };

/** @returns what it says at the end; how far it is depends on the machine */
async function filled(service: Service, counts: Partial<Counts>): Promise<string> {
  const paper = new Paper();
  await seed(service.app, { ...NUMBERS, ...counts }, PASSWORD, paper);
  return paper.text.replace(/^· .*\n/gm, '');
}

describe('demo records', () => {
  const service = useService();
  let first: string;
  const total = async (path: string): Promise<number> =>
    Number((await service.admin.get(path, { prefer: 'count=exact' })).headers['x-total-count']);
  const counts = async (): Promise<number[]> =>
    Promise.all(['/users?q=demo-user', '/organizations?q=demo', '/apis?q=demo'].map(total));

  beforeAll(async () => {
    first = await filled(service, {});
  });

  it('are as many as requested, and are found by q', async () => {
    expect(await counts()).toEqual([7, 5, 12]);
    expect(first).toBe(
      '✔ Users: 7 added, 0 already there\n✔ Organizations: 5 added, 0 already there\n✔ APIs: 12 added, 0 already there\n',
    );
  });

  it('do not change when requested again', async () => {
    const before = await service.admin.get('/organizations');
    expect(await filled(service, {})).toContain('APIs: 0 added, 12 already there');
    expect((await service.admin.get('/organizations')).text).toBe(before.text);
    expect(await counts()).toEqual([7, 5, 12]);
  });

  it('leave names that are taken, and renamed or deleted records, as they are', async () => {
    const { body } = await service.admin.get('/organizations?slug=demo-organization-2');
    const [organization] = body.data;
    await service.admin.put(`/organizations/${organization._id}`, { ...organization, name: 'Renamed' });
    await service.admin.post('/organizations', { name: 'Demo Organization 6', url: 'https://other.example' });
    await service.account({ username: 'Demo-User-8', email: 'other@roster.example' });
    await service.account({ username: 'other', email: 'demo-user-9@roster.example' });
    expect(await filled(service, { users: 10, organizations: 7, apis: 13 })).toBe(
      '✔ Users: 1 added, 9 already there\n✔ Organizations: 1 added, 6 already there\n✔ APIs: 1 added, 12 already there\n',
    );
  });

  it('log in with the password that was shown, and manage their Organizations and APIs', async () => {
    const user = await service.logIn({ username: 'demo-user-1', password: PASSWORD });
    const [organization] = (await user.get(`/organizations?managerId=${user.id}&limit=1`)).body.data;
    expect(organization).toMatchObject({ name: 'Demo Organization 1', managerIds: expect.arrayContaining([user.id]) });
    expect((await user.put(`/organizations/${organization._id}`, organization)).status).toBe(200);
    const [api] = (await user.get(`/organizations/${organization._id}/apis`)).body.data;
    expect((await user.put(`/apis/${api._id}`, { ...api, description: 'Mine.' })).status).toBe(200);
  });

  it('break no invariant', async () => {
    expect(await brokenInvariants(service)).toBe('');
  });
});

describe('demo records of a registry without others', () => {
  const service = useService();

  it.each([
    ['organizations without users', { users: 0 }, '--users'],
    ['apis without organizations', { organizations: 0 }, '--organizations'],
    ['more apis than organizations hold', { organizations: 1, apis: 1001 }, 'at most 1000'],
  ])('are not made as %s', async (_what, counts, told) => {
    await expect(filled(service, counts)).rejects.toThrow(told);
  });
});

describe('the example company', () => {
  const service = useService();
  const fill = (): Promise<string> => filled(service, COMPANY);
  let first: string;
  let lena: Client;

  const list = async (path: string): Promise<Shown[]> =>
    (await lena.get(`${path}${path.includes('?') ? '&' : '?'}limit=100`)).body.data as Shown[];

  beforeAll(async () => {
    first = await fill();
    lena = await service.logIn({ username: 'lena', password: PASSWORD });
  });

  it('is added alone, if no numbers are requested', () => {
    expect(first).toMatch(/^✔ Example company: \d+ added, 0 already there\n$/);
  });

  it('has Organizations with a description, a contact, a logo, two Managers and APIs', async () => {
    const organizations = await list('/organizations');
    expect(organizations.length).toBeGreaterThan(5);
    for (const { _id, description, contactEmail, managerIds, organizationLogoFileId } of organizations) {
      expect([description, contactEmail]).toEqual([
        expect.stringMatching(/.{20}/),
        expect.stringMatching(/\.example$/),
      ]);
      expect(managerIds).toHaveLength(2);
      const { bytes } = await lena.get(`/files/${organizationLogoFileId as string}`);
      expect(readImage(bytes)).toEqual({ contentType: 'image/png', problem: undefined });
      expect((await service.admin.get(`/organizations/${_id}/apis`)).body.data).not.toEqual([]);
    }
  });

  it('has APIs in every stage, and an end and a successor of those that are deprecated, one of them in the past', async () => {
    const apis = await list('/apis');
    expect(new Set(apis.map(({ lifecycleStatus }) => lifecycleStatus)).size).toBe(5);
    const deprecated = apis.filter(({ lifecycleStatus }) => lifecycleStatus === 'deprecated');
    expect(deprecated.filter(({ sunsetAt, successorId }) => !sunsetAt || !successorId)).toEqual([]);
    const isOver = deprecated.map(({ sunsetAt }) => Date.parse(sunsetAt as string) < Date.now());
    expect([...new Set(isOver)].sort()).toEqual([false, true]);
  });

  it('tells somebody who manages nothing whom to ask before an API ends', async () => {
    expect(await list('/organizations?managerId=me')).toEqual([]);
    const [api] = await list('/apis?name=Card%20Payments');
    const consumers = await list(`/apis/${api!._id}/consumers`);
    expect(consumers.map(({ name }) => name).sort()).toEqual(['Fjord Freight', 'Orders', 'Web Shop']);
    const contacts = await list(`/organizations?id=${consumers.map(({ _id }) => _id).join()}`);
    expect(contacts.map(({ contactEmail }) => contactEmail).sort()).toEqual([
      'help@fjord-freight.example',
      'help@orders.brackenholt.example',
      'help@web-shop.brackenholt.example',
    ]);
  });

  it('stays as it is when requested again, also where records were renamed', async () => {
    const [organization] = await list('/organizations?name=Payments');
    const path = `/organizations/${organization!._id}`;
    expect((await service.admin.put(path, { ...organization, name: 'Paying' })).status).toBe(200);
    const before = [await list('/users'), await list('/organizations'), await list('/apis')];
    expect(await fill()).toContain('Example company: 0 added');
    expect([await list('/users'), await list('/organizations'), await list('/apis')]).toEqual(before);
  });

  it('gets back what was deleted, also of a User who is deleted', async () => {
    const [amina] = await list('/users?username=amina');
    const [refunds] = await list('/apis?name=Refunds');
    for (const path of [`/apis/${refunds!._id}`, `/users/${amina!._id}`])
      expect((await service.admin.delete(path)).status).toBe(204);
    expect(await fill()).toContain('Example company: 3 added');
    const [again] = await list('/apis?name=Refunds');
    expect(await list(`/apis/${again!._id}/consumers`)).toHaveLength(1);
    expect(await list(`/users?id=${again!.createdBy as string}`)).toHaveLength(1);
  });

  it('breaks no invariant', async () => {
    expect(await brokenInvariants(service)).toBe('');
  });
});

test('The example company takes no name, and adds nothing to a record, of somebody else', async () => {
  const service = await startService();
  try {
    const other = await service.account({ username: 'kofi', email: 'kofi@other.example' });
    const { _id } = (await other.post('/organizations', { name: 'payments' })).body.data as Shown;
    await filled(service, COMPANY);
    expect((await service.admin.get(`/organizations/${_id}/apis`)).body.data).toEqual([]);
    expect((await service.admin.get('/apis?q=card%20payments')).body.data).toEqual([]);
    const [finance] = (await service.admin.get('/organizations?name=Finance')).body.data as Shown[];
    expect(finance!.managerIds).not.toContain(other.id);
    expect((await service.admin.get('/organizations?q=payments')).body.data).toHaveLength(1);
  } finally {
    await service.stop();
  }
});

test('npm run seed rejects production without --yes', async () => {
  const production = { NODE_ENV: 'production', MONGODB_URI: 'mongodb://127.0.0.1:1/x', JWT_SECRET: 's'.repeat(32) };
  const command = startCommand(production, 'seed', '--users', '1');
  expect(await command.end()).toBe(1);
  expect(command.errors).toContain('--yes');
});
