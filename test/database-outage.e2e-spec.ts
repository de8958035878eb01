import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseStart } from '../src/database/database-start';
import { ApiResponse, Client, Method } from './support/client';
import { OwnDatabase } from './support/own-database';
import { Service, startService } from './support/service';

/** Within this (ms) every request is answered while the database hangs. */
const BOUND_MS = 16_000;

const ID = '0123456789abcdef01234567';
const url = 'https://roster.example';

/** Every operation that reaches the database, by an Admin. */
const OPERATIONS: [Method, string, object?][] = [
  ['POST', '/sessions', { username: 'admin', password: 'an Admin of the tests' }],
  ['GET', '/sessions'],
  ['GET', `/sessions/${ID}`],
  ['DELETE', `/sessions/${ID}`],
  ['POST', '/users', { username: 'new', companyName: 'New', email: 'new@x.example', password: 'a long passphrase' }],
  ['GET', '/users'],
  ['GET', `/users/${ID}`],
  ['PUT', `/users/${ID}`, { username: 'new', companyName: 'New', email: 'new@x.example' }],
  ['DELETE', `/users/${ID}`],
  ['GET', '/organizations'],
  ['POST', '/organizations', { name: 'New', url }],
  ['GET', `/organizations/${ID}`],
  ['PUT', `/organizations/${ID}`, { name: 'New', url }],
  ['DELETE', `/organizations/${ID}`],
  ['GET', `/organizations/${ID}/managers`],
  ['POST', `/organizations/${ID}/managers`, { userId: ID }],
  ['GET', `/organizations/${ID}/managers/${ID}`],
  ['DELETE', `/organizations/${ID}/managers/${ID}`],
  ['GET', `/organizations/${ID}/apis`],
  ['POST', `/organizations/${ID}/apis`, { name: 'New', url }],
  ['GET', '/apis'],
  ['GET', `/apis/${ID}`],
  ['PUT', `/apis/${ID}`, { name: 'New', url }],
  ['DELETE', `/apis/${ID}`],
  ['GET', `/files/${ID}`],
  ['DELETE', `/files/${ID}`],
];

describe('while the database is away', () => {
  const rejections: unknown[] = [];
  const note = (reason: unknown) => rejections.push(reason);
  let database: OwnDatabase;
  let service: Service;

  beforeAll(async () => {
    process.on('unhandledRejection', note);
    database = await OwnDatabase.start();
    service = await startService({ MONGODB_URI: database.uri() });
  }, 60_000);
  afterEach(() => expect(rejections).toEqual([]));
  afterAll(async () => {
    database.goOn();
    await service.stop();
    await database.stop();
    process.off('unhandledRejection', note);
  }, 60_000);

  /** Works again, as a rule at once, at the latest when the driver has noticed. */
  async function recovered(client: Client): Promise<void> {
    for (let tries = 0; (await client.get('/users')).status !== 200; tries += 1) {
      expect(tries).toBeLessThan(40);
      await sleep(250);
    }
  }

  async function timed(answer: Promise<ApiResponse>): Promise<{ answer: ApiResponse; ms: number }> {
    const start = Date.now();
    return { answer: await answer, ms: Date.now() - start };
  }

  function expectUnavailable({ answer, ms }: { answer: ApiResponse; ms: number }): void {
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 503, code: 1901 });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(ms).toBeLessThan(BOUND_MS);
  }

  it('every operation returns 503 within a time limit, and works again afterwards', async () => {
    database.halt();
    const answers = await Promise.all(
      OPERATIONS.map(([method, path, payload]) => timed(service.admin.send({ method, path, payload }))),
    );
    answers.forEach(expectUnavailable);
    const ready = await service.nobody.get('/health/ready');
    expect({ status: ready.status, message: ready.body.message }).toEqual({
      status: 503,
      message: 'Not ready: database.',
    });
    expect((await service.nobody.get('/health/live')).status).toBe(200);
    database.goOn();
    await recovered(service.admin);
    expect((await service.nobody.get('/health/ready')).status).toBe(200);
  }, 60_000);

  it('hundreds of simultaneous requests get responses within the time limit', async () => {
    database.halt();
    const answers = await Promise.all(Array.from({ length: 300 }, () => timed(service.admin.get('/users'))));
    answers.forEach(expectUnavailable);
    database.goOn();
    await recovered(service.admin);
  }, 60_000);

  it('transactions that are cut off in the middle are done whole or not at all', async () => {
    const names = Array.from({ length: 20 }, (_, number) => `Cut off ${number}`);
    const writes = names.map((name) => timed(service.admin.post('/organizations', { name, url })));
    await sleep(60);
    database.halt();
    const answers = await Promise.all(writes);
    database.goOn();
    await recovered(service.admin);
    for (const { answer, ms } of answers) {
      expect([201, 503]).toContain(answer.status);
      expect(ms).toBeLessThan(BOUND_MS);
    }
    const stored = (await service.admin.get('/organizations?q=cut')).body.data as { name: string }[];
    const promised = names.filter((_, index) => answers[index]?.answer.status === 201);
    expect(stored.map(({ name }) => name)).toEqual(expect.arrayContaining(promised));
  }, 60_000);
});

describe('a service that starts before its database', () => {
  it('listens, is not ready, and becomes ready when the database comes', async () => {
    const database = await OwnDatabase.start();
    database.halt();
    const starting = startService({ MONGODB_URI: database.uri() });
    await sleep(6000);
    database.goOn();
    const service = await starting;
    try {
      expect(await service.app.get(DatabaseStart).ready).toBe(true);
      expect((await service.nobody.get('/health/ready')).status).toBe(200);
      expect((await service.admin.get('/users')).status).toBe(200);
    } finally {
      await service.stop();
      await database.stop();
    }
  }, 60_000);
});
