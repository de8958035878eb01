import { createApi, feature } from '../../registry/apis/api-records';
import { declaredOperations } from '../../support/operations';
import { Stage } from '../../support/stage';
import { ApiResponse, Client, ClientRequest } from '../../support/client';
import { expectOutcome } from '../../support/expect-error';
import { OwnDatabase } from '../../support/own-database';
import { createOrganization } from '../../support/records';
import { ADMIN, Service, startInstance, startService } from '../../support/service';
import { until } from '../../support/until';
import { catchWarnings } from '../../support/warnings';

/** Those of the driver, shortened: only their order matters here. */
const SHORT = { socketTimeoutMS: 600, serverSelectionTimeoutMS: 500, connectTimeoutMS: 500, waitQueueTimeoutMS: 600 };

function expectUnavailable({ status, body, headers }: ApiResponse): void {
  expect({ status, code: body.code }).toEqual({ status: 503, code: 1901 });
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
}

/** Asks until the status is this one. */
async function untilIs(status: number, client: Client, path: string): Promise<ApiResponse> {
  let response: ApiResponse;
  await until(async () => {
    response = await client.get(path);
    return response.status === status;
  });
  return response!;
}

describe('while the database is away', () => {
  const rejections: unknown[] = [];
  const note = (reason: unknown) => rejections.push(reason);
  let database: OwnDatabase;
  let service: Service;
  let stage: Stage;

  beforeAll(async () => {
    process.on('unhandledRejection', note);
    database = await OwnDatabase.start();
    service = await startService({ MONGODB_URI: database.uri() }, SHORT);
    stage = await Stage.of(service);
  });
  afterEach(() => expect(rejections).toEqual([]));
  afterAll(async () => {
    database.goOn();
    await service.stop();
    await database.stop();
    process.off('unhandledRejection', note);
  });

  it.each([
    ['its Event', false],
    ['its two Events', true],
  ])('a write returns 503 when its connection is closed at each attempt to store %s', async (_what, isFeatured) => {
    const organization = await createOrganization(service.admin);
    const api = await createApi(service.admin, organization._id, { isPublic: true });
    if (isFeatured) expectOutcome(await feature(service.admin, organization, api), 200);
    const data = { failCommands: ['insert'], closeConnection: true };
    const fail = (mode: string): Promise<unknown> =>
      service.connection.db!.admin().command({ configureFailPoint: 'failCommand', mode, data });
    await fail('alwaysOn');
    const response = await service.admin.delete(`/apis/${api._id}`);
    await fail('off');
    expectUnavailable(response);
  });

  it('every operation returns 503 while it does not respond, also with hundreds at the same time, and works again afterwards', async () => {
    const prepared: [string, ClientRequest][] = [];
    for (const operation of declaredOperations()) prepared.push([operation.title, await stage.bare(operation)]);
    // Until every request has its response.
    database.halt();
    // Of the others the account is looked up first.
    const bodies: Partial<Record<string, object>> = {
      'POST /sessions': { username: ADMIN.username, password: ADMIN.password },
      'POST /tokens': { refreshToken: service.admin.refreshToken },
    };
    const requests = prepared.map(([title, request]) => service.nobody.send({ payload: bodies[title], ...request }));
    expect(requests.length).toBeGreaterThan(25);
    const hundreds = Array.from({ length: 300 }, () => service.admin.get('/users'));
    (await Promise.all([...requests, ...hundreds])).forEach(expectUnavailable);
    const { body } = await untilIs(503, service.nobody, '/health/ready');
    expect(body.message).toBe('Not ready: database.');
    expect((await service.nobody.get('/health/live')).status).toBe(200);
    database.goOn();
    await untilIs(200, service.admin, '/users');
    await untilIs(200, service.nobody, '/health/ready');
  });
});

describe('a service that starts before its database', () => {
  it('listens, is not ready, and becomes ready when the database comes', async () => {
    const database = await OwnDatabase.start();
    database.halt();
    const { logged } = catchWarnings();
    const starting = startService({ MONGODB_URI: database.uri() }, SHORT);
    await logged(/^Not ready: database/);
    database.goOn();
    const service = await starting;
    jest.restoreAllMocks();
    try {
      expect((await service.nobody.get('/health/ready')).status).toBe(200);
      expect((await service.admin.get('/users')).status).toBe(200);
    } finally {
      await service.stop();
      await database.stop();
    }
  });
});

it('a start with a wrong replicaSet logs which sets there are', async () => {
  const right = await startService();
  const { setName } = await right.connection.db!.admin().command({ hello: 1 });
  const uri = new URL(right.databaseUri);
  uri.searchParams.set('replicaSet', 'wrong');
  const { logged } = catchWarnings();
  const app = await startInstance({ MONGODB_URI: String(uri) }, SHORT);
  expect(await logged(/^Not ready/)).toMatch(
    new RegExp(`^Not ready: database: .* wrong, but the servers belong to ${setName}$`),
  );
  jest.restoreAllMocks();
  await app.close();
  await right.stop();
});
