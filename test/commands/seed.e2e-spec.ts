import { Counts, seed } from '../../src/commands/seed/seed';
import { brokenInvariants } from '../support/broken-invariants';
import { Paper } from '../support/paper';
import { startCommand } from '../support/programs';
import { useService } from '../support/service';

const PASSWORD = 'a demo of the tests';
const NUMBERS: Counts = { users: 7, organizations: 5, apis: 12 };

describe('demo records', () => {
  const service = useService();
  let first: Paper;

  const fill = async (numbers: Partial<Counts>): Promise<Paper> => {
    const paper = new Paper();
    await seed(service.app, { ...NUMBERS, ...numbers }, PASSWORD, paper);
    return paper;
  };
  const total = async (path: string): Promise<number> =>
    Number((await service.admin.get(path, { prefer: 'count=exact' })).headers['x-total-count']);
  const counts = async (): Promise<number[]> =>
    Promise.all(['/users?q=demo-user', '/organizations?q=demo', '/apis?q=demo'].map(total));

  beforeAll(async () => {
    first = await fill({});
  });

  it('are as many as requested, and are found by q', async () => {
    expect(await counts()).toEqual([7, 5, 12]);
    expect(first.text).toBe(
      '✔ Users: 7 added, 0 already there\n✔ Organizations: 5 added, 0 already there\n✔ APIs: 12 added, 0 already there\n',
    );
  });

  it('do not change when requested again', async () => {
    const before = await service.admin.get('/organizations');
    expect((await fill({})).text).toContain('APIs: 0 added, 12 already there');
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
    const paper = await fill({ users: 10, organizations: 7, apis: 13 });
    expect(paper.text).toBe(
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
    ['organizations without users', { ...NUMBERS, users: 0 }, '--users'],
    ['apis without organizations', { ...NUMBERS, organizations: 0 }, '--organizations'],
    ['more apis than organizations hold', { ...NUMBERS, organizations: 1, apis: 1001 }, 'at most 1000'],
  ])('are not made as %s', async (_what, options, told) => {
    await expect(seed(service.app, options, PASSWORD, new Paper())).rejects.toThrow(told);
  });
});

test('npm run seed rejects production without --yes', async () => {
  const production = { NODE_ENV: 'production', MONGODB_URI: 'mongodb://127.0.0.1:1/x', JWT_SECRET: 's'.repeat(32) };
  const command = startCommand(production, 'seed', '--users', '1');
  expect(await command.end()).toBe(1);
  expect(command.errors).toContain('--yes');
});
