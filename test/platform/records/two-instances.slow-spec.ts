import { User } from '../../../src/registry/users/user.schema';
import { ApiResponse, Client, Method } from '../../support/client';
import { databaseUri } from '../../support/database';
import { organizationBody } from '../../support/records';
import { Service, startService } from '../../support/service';

/** Sends requests with a person's token to the other instance. */
function at({ nobody }: Service, { token }: Client): (method: Method, path: string) => Promise<ApiResponse> {
  return (method, path) => nobody.send({ method, path, headers: { authorization: `Bearer ${token}` } });
}

describe('two instances on one database', () => {
  const MONGODB_URI = databaseUri('two-instances');
  let a: Service;
  let b: Service;
  // Both at the same time on an empty database: each tries to build the indexes and to create the first Admin.
  beforeAll(async () => {
    [a, b] = await Promise.all([startService({ MONGODB_URI }), startService({ MONGODB_URI })]);
  });
  afterAll(async () => {
    await a.connection.dropDatabase();
    await Promise.all([a.stop(), b.stop()]);
  });

  it('start at the same time with all indexes and one first Admin', async () => {
    for (const service of [a, b]) expect((await service.nobody.get('/health/ready')).status).toBe(200);
    expect(await a.model<User>('User').countDocuments()).toBe(1);
    const indexes = await a.connection.collection('organizations').indexes();
    expect(indexes.filter(({ unique }) => unique).map(({ key }) => key)).toEqual(
      expect.arrayContaining([{ nameKey: 1 }, { 'slugs.text': 1 }]),
    );
  });

  it('accept each other’s tokens, and end each other’s sessions immediately', async () => {
    const ada = await a.account({ username: 'ada', email: 'ada@two.example' });
    expect((await at(b, ada)('GET', `/users/${ada.id}`)).status).toBe(200);
    expect((await at(b, ada)('DELETE', `/sessions/${ada.session._id}`)).status).toBe(204);
    expect((await ada.get(`/users/${ada.id}`)).body.code).toBe(1102);
  });

  it('see each other’s deletions and changes of roles on the next request', async () => {
    const eve = await a.account({ username: 'eve', email: 'eve@two.example', roles: ['admin'] });
    expect((await at(b, eve)('GET', '/users?role=admin')).status).toBe(200);
    await b.admin.put(`/users/${eve.id}`, { ...eve.user, roles: [] });
    expect((await eve.get('/users?role=admin')).status).toBe(403);
    await b.admin.delete(`/users/${eve.id}`);
    expect((await eve.get(`/users/${eve.id}`)).body.code).toBe(1102);
  });

  it('accept each other’s ETags, and reject a version that the other has replaced', async () => {
    const created = await a.admin.post('/organizations', organizationBody());
    const path = `/organizations/${created.body.data._id}`;
    const read = await b.admin.get(path);
    expect(read.headers.etag).toBe(created.headers.etag);
    const body = { ...read.body, description: 'Changed at B.' };
    const changed = await b.admin.put(path, body, { 'if-match': created.headers.etag });
    expect(changed.status).toBe(200);
    expect((await a.admin.put(path, body, { 'if-match': created.headers.etag })).status).toBe(412);
    const cached = await a.admin.get(path, { 'if-none-match': changed.headers.etag });
    expect(cached.status).toBe(304);
  });

  it('refresh each other’s sessions: a token used at both at the same time has one successor', async () => {
    const bob = await a.account({ username: 'bob', email: 'bob@two.example' });
    const responses = await Promise.all(
      [a, b].map((service) => service.nobody.post('/tokens', { refreshToken: bob.refreshToken })),
    );
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(responses.map(({ body }) => body.data.refreshToken)).size).toBe(1);
  });
});
