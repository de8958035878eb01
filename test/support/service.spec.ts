import { User } from '../../src/users/user.schema';
import { Service, startService } from './service';

describe('a service under test', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('has a first Admin, who is logged in', async () => {
    const { status, body } = await service.admin.get(`/users/${service.admin.id}`);
    expect({ status, roles: body.roles }).toEqual({ status: 200, roles: ['admin'] });
  });

  it('has accounts, who are logged in and stored', async () => {
    const account = await service.account({ companyName: 'Nets' });
    const { body } = await account.get('/sessions');
    expect(body.data.map(({ _id }: { _id: string }) => _id)).toEqual([account.session._id]);
    const stored = await service.model<User>('User').findById(account.id).schemaLevelProjections(false).lean();
    expect(stored).toMatchObject({ username: account.user.username, companyName: 'Nets' });
  });

  it('has a client without login', async () => {
    const { status } = await service.nobody.get('/users');
    expect(status).toBe(401);
  });

  it('listens when a test asks for it', async () => {
    const answer = await fetch(`${await service.url()}/health/live`);
    expect(answer.status).toBe(200);
  });
});

describe('two services in one process', () => {
  it('keep their accounts apart', async () => {
    const [one, other] = [await startService(), await startService()];
    try {
      expect((await one.admin.get('/sessions')).status).toBe(200);
      expect((await other.admin.get('/sessions')).status).toBe(200);
      const authorization = `Bearer ${one.admin.token}`;
      expect((await other.nobody.get('/sessions', { authorization })).status).toBe(401);
    } finally {
      await one.stop();
    }
    expect((await other.admin.get('/sessions')).status).toBe(200);
    await other.stop();
  });
});
