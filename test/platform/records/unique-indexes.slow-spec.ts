import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createConnection, Types } from 'mongoose';
import { DatabaseStart } from '../../../src/platform/records/start/database-start';
import { createOrganization, organizationBody } from '../../support/records';
import { OwnDatabase } from '../../support/own-database';
import { ADMIN, Service, startInstance, startService } from '../../support/service';
import { catchWarnings } from '../../support/warnings';

afterEach(() => jest.restoreAllMocks());

describe('records that break unique indexes', () => {
  let first: Service;
  let app: NestFastifyApplication;
  let warning: string;
  const ids = Array.from({ length: 12 }, () => new Types.ObjectId());

  beforeAll(async () => {
    first = await startService();
    await createOrganization(first.admin, { name: 'Nets' });
    const { connection } = first;
    const [users, organizations] = [connection.collection('users'), connection.collection('organizations')];
    await users.dropIndex('usernameKey_1');
    await organizations.dropIndexes();
    await connection.collection('apis').dropIndexes();
    await users.insertMany(
      ids.map((_id) => ({ _id, usernameKey: 'twice', emailKey: `${_id.toHexString()}@x.example` })),
    );
    const slugs = [{ text: 'same' }, { text: 'also' }];
    await organizations.insertMany([
      { nameKey: 'nets', slugs },
      { nameKey: 'ropes', slugs },
    ]);
    const { logged } = catchWarnings();
    app = await startInstance({ MONGODB_URI: first.databaseUri });
    warning = await logged(/indexes cannot be built/);
  });
  afterAll(async () => {
    await app.close();
    await first.stop();
  });

  const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
    app.inject({ method, url, payload, headers: { authorization: `Bearer ${first.admin.token}` } });

  it('are named in the log with a value, for every index', () => {
    expect(warning).toMatch(/users \(usernameKey\): .*twice/);
    expect(warning).toMatch(/organizations \(nameKey\): .*nets/);
    expect(warning).toMatch(/organizations \(slugs\.text\): /);
    expect(warning).toMatch(/npm run check:data names records with the same value\.$/);
  });

  it('do not keep the other indexes from being built', async () => {
    const keys = (await first.connection.collection('apis').indexes()).map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining([{ organizationId: 1, nameKey: 1 }, { 'slugs.text': 1 }]));
  });

  it('let the service refuse writes and logins, but no reads, until somebody repairs them', async () => {
    const posts = Array.from({ length: 12 }, () => send('POST', '/organizations', organizationBody({ name: 'Ropes' })));
    const { username, password } = ADMIN;
    const user = `/users/${first.admin.id}`;
    const others = [send('POST', '/sessions', { username, password }), send('PUT', user, {}), send('DELETE', user)];
    for (const response of await Promise.all([...posts, ...others])) {
      expect([response.statusCode, response.json().code]).toEqual([503, 1901]);
      expect(response.headers['retry-after']).toBe('5');
    }
    expect((await send('GET', '/health/ready')).json().message).toBe('Not ready: database.');
    expect((await send('GET', user)).statusCode).toBe(200);
    await first.connection.collection('users').deleteMany({ usernameKey: 'twice' });
    await first.connection.collection('organizations').deleteMany({ name: { $exists: false } });
    await app.get(DatabaseStart).ready;
    expect((await send('GET', '/health/ready')).statusCode).toBe(200);
    expect((await send('POST', '/organizations', organizationBody({ name: 'Ropes' }))).statusCode).toBe(201);
  });
});

describe('the build of an index', () => {
  it('may take longer than the time limit of a request', async () => {
    const database = await OwnDatabase.start();
    const connection = await createConnection(database.uri()).asPromise();
    const data = { failCommands: ['createIndexes'], blockConnection: true, blockTimeMS: 2500 };
    await connection.db!.admin().command({ configureFailPoint: 'failCommand', mode: { times: 1 }, data });
    const { lines } = catchWarnings();
    const app = await startInstance({ MONGODB_URI: database.uri() }, { socketTimeoutMS: 1000 });
    expect(await app.get(DatabaseStart).ready).toBe(true);
    expect(lines).toEqual([]);
    await app.close();
    await connection.close();
    await database.stop();
  });
});
