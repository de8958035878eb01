import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Api } from '../src/apis/api.schema';
import { Organization } from '../src/organizations/organization.schema';
import { expectSound } from './races/invariants';
import { OwnDatabase } from './support/own-database';
import { Program } from './support/program';
import { ADMIN, ADMIN_SETTINGS, JWT_SECRET, Service, startService } from './support/service';

/** An embedded database that dies more often within a minute is not started again. */
const ROUNDS = 3;
const WRITERS = 4;
/** How many records each round creates at least before the kill. */
const ENOUGH = 30;
const url = 'https://roster.example';

/** What a client of the service that is killed was told. */
interface Told {
  created: Set<string>;
  deleted: Set<string>;
}

function startProcess(uri: string): Program {
  return new Program([join(__dirname, '../dist/main.js')], {
    PORT: '0',
    MONGODB_URI: uri,
    JWT_SECRET,
    ...ADMIN_SETTINGS,
    RATE_LIMIT_PER_MINUTE: '0',
    LOG_LEVEL: 'silent',
  });
}

type Call = (method: string, path: string, body?: object) => Promise<{ status: number; data: Record<string, string> }>;

async function logIn(base: string): Promise<Call> {
  let authorization = '';
  const call: Call = async (method, path, body) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const response = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
    const text = await response.text();
    const { data = {} } = (text === '' ? {} : JSON.parse(text)) as { data?: Record<string, string> };
    return { status: response.status, data };
  };
  const { data } = await call('POST', '/sessions', { username: ADMIN.username, password: ADMIN.password });
  authorization = `Bearer ${data.accessToken}`;
  return call;
}

/** Writes records that take several documents each, until the service is gone. */
async function write(call: Call, writer: string, told: Told): Promise<void> {
  const create = async (path: string, home: string, body: object): Promise<string> => {
    const { status, data } = await call('POST', path, body);
    const at = `${home}/${data._id}`;
    if (status === 201) told.created.add(at);
    return at;
  };
  for (let number = 0; ; number += 1) {
    const name = `${writer} ${number}`;
    const organization = await create('/organizations', '/organizations', { name, url });
    const api = await create(`${organization}/apis`, '/apis', { name, url, isPublic: true });
    const featuredApiIds = [api.split('/').at(-1)];
    await call('PUT', organization, { name: `${name} renamed`, url, featuredApiIds });
    await call('PUT', api, { name: `${name} renamed`, url, isPublic: number % 2 === 0 });
    if (number % 3 !== 0) continue;
    const { status } = await call('DELETE', organization);
    if (status === 204) told.deleted.add(organization).add(api);
  }
}

/** What was told is stored; what a write that had no response has changed, it has changed as a whole. */
async function expectAsTold(service: Service, { created, deleted }: Told): Promise<void> {
  const organizations = await service.model<Organization>('Organization').find({}, { _id: 1 }).lean();
  const apis = await service.model<Api>('Api').find({}, { _id: 1 }).lean();
  const stored = new Set([
    ...organizations.map(({ _id }) => `/organizations/${String(_id)}`),
    ...apis.map(({ _id }) => `/apis/${String(_id)}`),
  ]);
  expect([...deleted].filter((path) => stored.has(path))).toEqual([]);
  // Each writer may have had one deletion under way, of an Organization and its Api, when the service went.
  const lost = [...created].filter((path) => !stored.has(path) && !deleted.has(path));
  expect(lost.length).toBeLessThanOrEqual(2 * WRITERS * ROUNDS);
}

describe('kill -9 of the service and its database while it writes', () => {
  const told: Told = { created: new Set(), deleted: new Set() };
  let database: OwnDatabase;
  beforeAll(async () => void (database = await OwnDatabase.start({ syncOnCommit: true })));
  afterAll(() => database.stop());

  async function expectAllOrNothing(): Promise<void> {
    const service = await startService({ MONGODB_URI: database.uri() });
    await expectSound(service);
    await expectAsTold(service, told);
    await service.stop();
  }

  it(`leaves each write done or not begun, ${ROUNDS} times, and a start that copes`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const service = startProcess(database.uri());
      const [, base = ''] = await service.wrote(/ready at (\S+)\n/);
      const call = await logIn(base);
      const enough = { created: told.created.size + ENOUGH, deleted: told.deleted.size + 1 };
      const writers = Array.from({ length: WRITERS }, (_, writer) => write(call, `W${round}-${writer}`, told));
      const outcomes = Promise.allSettled(writers);
      while (told.created.size < enough.created || told.deleted.size < enough.deleted) await setImmediate();
      database.kill();
      await service.kill();
      await outcomes;
      await expectAllOrNothing();
    }
  }, 120_000);
});
