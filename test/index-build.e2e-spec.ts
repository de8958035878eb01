import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { createConnection } from 'mongoose';
import { createApp } from '../src/create-app';
import { settingsFrom } from '../src/load-settings';
import { DatabaseStart } from '../src/database/database-start';
import { databaseUri } from './support/database';
import { ADMIN, startService } from './support/service';

describe('the index build', () => {
  it('is done by two instances that start at once, which make one first Admin', async () => {
    const MONGODB_URI = databaseUri(`indexes-${randomBytes(6).toString('hex')}`);
    const services = await Promise.all([startService({ MONGODB_URI }), startService({ MONGODB_URI })]);
    const [one, other] = services;
    const { body } = await one.admin.get('/users');
    expect(body.data.map(({ username }: { username: string }) => username)).toEqual([ADMIN.username]);
    const created = await other.admin.post('/organizations', { name: 'Foo', url: 'https://x.example' });
    expect(created.status).toBe(201);
    expect((await one.admin.post('/organizations', { name: 'FOO', url: 'https://x.example' })).body.code).toBe(1501);
    const indexes = await one.connection.collection('organizations').indexes();
    expect(indexes.filter(({ unique }) => unique).map(({ key }) => Object.keys(key))).toEqual(
      expect.arrayContaining([['nameKey'], ['slugs.text']]),
    );
    await one.connection.dropDatabase();
    await Promise.all(services.map((service) => service.stop()));
  }, 60_000);

  it('leaves the service not ready when records violate a unique index, and logs which', async () => {
    const uri = databaseUri(`indexes-${randomBytes(6).toString('hex')}`);
    const connection = await createConnection(uri).asPromise();
    await connection.collection('users').insertMany([{ usernameKey: 'twice' }, { usernameKey: 'twice' }]);
    const env = { NODE_ENV: 'test', LOG_LEVEL: 'silent', MONGODB_URI: uri, JWT_SECRET: 'x'.repeat(40) };
    const app = await createApp(settingsFrom(env));
    const logged = new Promise<string>((resolve) => {
      const note = (...[message]: unknown[]): void => void (/index/.test(String(message)) && resolve(String(message)));
      for (const level of ['warn', 'error'] as const) jest.spyOn(Logger.prototype, level).mockImplementation(note);
    });
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    try {
      expect(await logged).toMatch(/indexes of users .*usernameKey/);
      expect((await app.inject('/health/ready')).statusCode).toBe(503);
    } finally {
      jest.restoreAllMocks();
      await app.close();
      await app.get(DatabaseStart).ready;
      await connection.dropDatabase();
      await connection.close();
    }
  }, 60_000);
});
