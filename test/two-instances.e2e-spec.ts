import { createConnection } from 'mongoose';
import { Organization } from '../src/organizations/organization.schema';
import { User } from '../src/users/user.schema';
import { databaseUri } from './support/database';
import { ADMIN, Client, Service, startService } from './support/service';

/** Two instances of the service on one database, as behind a load balancer. */
interface Pair {
  a: Service;
  b: Service;
  stop(): Promise<void>;
}

/** Starts both at once on an empty database: each tries to build the indexes and to create the first Admin. */
async function startPair(name: string, env: Record<string, string> = {}): Promise<Pair> {
  const MONGODB_URI = databaseUri(name);
  const drop = async (): Promise<void> => {
    const connection = await createConnection(MONGODB_URI).asPromise();
    await connection.dropDatabase();
    await connection.close();
  };
  await drop();
  const [a, b] = await Promise.all([startService({ ...env, MONGODB_URI }), startService({ ...env, MONGODB_URI })]);
  const stop = async (): Promise<void> => {
    await Promise.all([a.stop(), b.stop()]);
    await drop();
  };
  return { a, b, stop };
}

/** Sends requests with a person's token to the other instance. */
function at(
  service: Service,
  person: Client,
): (
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  path: string,
  payload?: unknown,
  headers?: Record<string, string | undefined>,
) => ReturnType<Client['send']> {
  return (method, path, payload, headers) =>
    service.nobody.send({ method, path, payload, headers: { authorization: `Bearer ${person.token}`, ...headers } });
}

const organizationBody = (name: string): object => ({ name, url: 'https://two.example' });

describe('two instances on one database', () => {
  let pair: Pair;
  let a: Service;
  let b: Service;
  beforeAll(async () => ({ a, b } = pair = await startPair('two-instances')));
  afterAll(() => pair.stop());

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
    expect((await at(b, eve)('GET', `/users/${a.admin.id}`)).status).toBe(200);
    await b.admin.put(`/users/${eve.id}`, { ...eve.user, roles: [] });
    expect((await eve.get(`/users/${a.admin.id}`)).status).toBe(403);
    await b.admin.delete(`/users/${eve.id}`);
    expect((await eve.get(`/users/${eve.id}`)).body.code).toBe(1102);
  });

  it('accept each other’s ETags, and reject a version that the other has replaced', async () => {
    const created = await a.admin.post('/organizations', organizationBody('Handed Over'));
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

  it('list the records of both in the same order', async () => {
    for (const [index, service] of [a, b, a, b].entries()) {
      await service.admin.post('/organizations', organizationBody(`Listed ${index}`));
    }
    const [one, other] = await Promise.all(
      [a, b].map((service) => service.admin.get('/organizations?q=listed&limit=3')),
    );
    expect(one?.text).toBe(other?.text);
    const next = /<([^>]+)>; rel="next"/.exec(one?.headers.link ?? '')?.[1] ?? '';
    expect((await b.admin.get(next)).body.data.map(({ name }: { name: string }) => name)).toEqual(['Listed 3']);
  });

  it('refresh each other’s sessions: a token used at both at the same time has one successor', async () => {
    const bob = await a.account({ username: 'bob', email: 'bob@two.example' });
    const responses = await Promise.all(
      [a, b].map((service) => service.nobody.post('/tokens', { refreshToken: bob.refreshToken })),
    );
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(responses.map(({ body }) => body.data.refreshToken)).size).toBe(1);
  });

  it('accept one of twenty parallel creations of a name', async () => {
    const creations = Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? a : b).admin.post('/organizations', organizationBody('Raced')),
    );
    const statuses = (await Promise.all(creations)).map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });

  it('keep the last manager when two remove each other, one at each instance', async () => {
    const people = [await a.account(), await a.account()];
    const [x, y] = people as [Client, Client];
    const { _id } = (await x.post('/organizations', organizationBody('Two Managers'))).body.data;
    const path = `/organizations/${_id}/managers`;
    for (let round = 0; round < 50; round += 1) {
      const { managers } = (await a
        .model<Organization>('Organization')
        .findById(_id)
        .schemaLevelProjections(false)
        .lean())!;
      const missing = [x, y].find(({ id }) => !managers.some((manager) => manager._id.toHexString() === id));
      if (missing) expect((await a.admin.post(path, { userId: missing.id })).status).toBe(201);
      const statuses = await Promise.all([x.delete(`${path}/${y.id}`), at(b, y)('DELETE', `${path}/${x.id}`)]);
      // The other gets 403 or 404, no longer being a manager, or 409, being the last one.
      expect(statuses.map(({ status }) => status)).toContain(204);
      const stored = await a.model<Organization>('Organization').findById(_id).schemaLevelProjections(false).lean();
      expect(stored?.managers).toHaveLength(1);
    }
  });
});

describe('two instances that share their counts (RATE_LIMIT_STORE=mongodb)', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair('two-limits', {
      RATE_LIMIT_STORE: 'mongodb',
      LOGIN_RATE_LIMIT_PER_MINUTE: '4',
      RATE_LIMIT_PER_MINUTE: '40',
    });
  });
  afterAll(() => pair.stop());

  it('count failed logins together: over the limit, both reject even the right password', async () => {
    const { a, b } = pair;
    const attempt = (service: Service, password: string): Promise<number> =>
      service.nobody.post('/sessions', { username: ADMIN.username, password }).then(({ status }) => status);
    const wrong = [];
    for (const service of [a, b, a, b]) wrong.push(await attempt(service, 'not the password'));
    expect(wrong).toEqual([401, 401, 401, 401]);
    expect([await attempt(a, ADMIN.password), await attempt(b, ADMIN.password)]).toEqual([429, 429]);
  });

  it('count the requests of an account together', async () => {
    const statuses: number[] = [];
    for (let request = 0; request < 60; request += 1) {
      statuses.push((await (request % 2 ? pair.a : pair.b).admin.get('/users?limit=1')).status);
    }
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(40);
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.at(-2)).toBe(429);
  });
});
