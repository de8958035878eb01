import { isDeepStrictEqual } from 'node:util';
import type { ApiDto } from '../src/apis/api.dto';
import type { OrganizationDto } from '../src/organizations/organization.dto';
import { apiBody, createApi } from './apis/api-records';
import { upload, uploaded } from './files/uploads';
import type { ApiResponse } from './support/client';
import { createOrganization, organizationBody } from './support/records';
import { OwnDatabase } from './support/own-database';
import { Service, startService } from './support/service';

/** A write of several documents, and what makes the records that it is about. */
type Request = () => Promise<ApiResponse>;
type Write = [title: string, prepare: (service: Service) => Request | Promise<Request>];

interface Outcome {
  status: number;
  code: number | undefined;
  hasChanged: boolean;
}

/** All that write. */
const COMMANDS = ['update', 'findAndModify', 'insert', 'delete'];

let numbers = 0;
const newName = (): string => `name-${(numbers += 1)}`;

/** An Organization of the Admin with a featured API, and what its parts are called. */
async function scene({ admin }: Service): Promise<{ path: string; body: OrganizationDto; api: ApiDto; file: string }> {
  const { _id } = await createOrganization(admin);
  const api = await createApi(admin, _id, { isPublic: true });
  const path = `/organizations/${_id}`;
  const { body } = await admin.get(path);
  const featured = await admin.put(path, { ...body, featuredApiIds: [api._id] });
  return { path, body: featured.body.data as OrganizationDto, api, file: (await uploaded(admin))._id };
}

const WRITES: Write[] = [
  [
    'POST /users of an Admin',
    ({ admin }) => {
      const username = newName();
      const body = { username, companyName: 'C', email: `${username}@x.example`, password: 'a long passphrase' };
      return () => admin.post('/users', { ...body, roles: ['admin'] });
    },
  ],
  [
    'PUT /users/:id that gives the role of Admin',
    async (service) => {
      const user = await service.account();
      return () => service.admin.put(`/users/${user.id}`, user.userBody({ roles: ['admin'] }));
    },
  ],
  [
    'PUT /users/:id that changes the username',
    async (service) => {
      const user = await service.account();
      return () => user.put(`/users/${user.id}`, user.userBody({ username: newName() }));
    },
  ],
  [
    'DELETE /users/:id of a Manager with a File',
    async (service) => {
      const { path } = await scene(service);
      const user = await service.account();
      await service.admin.post(`${path}/managers`, { userId: user.id });
      await uploaded(user);
      return () => user.delete(`/users/${user.id}`);
    },
  ],
  [
    'POST /organizations with a logo',
    async (service) => {
      const body = organizationBody({ organizationLogoFileId: (await scene(service)).file });
      return () => service.admin.post('/organizations', body);
    },
  ],
  [
    'PUT /organizations/:id that changes the name',
    async (service) => {
      const { path, body } = await scene(service);
      return () => service.admin.put(path, { ...body, name: newName() });
    },
  ],
  [
    'PUT /organizations/:id that adds references',
    async (service) => {
      const { path, body, file } = await scene(service);
      const other = await createApi(service.admin, body._id, { isPublic: true });
      const featuredApiIds = [...body.featuredApiIds, other._id];
      return () => service.admin.put(path, { ...body, featuredApiIds, organizationLogoFileId: file });
    },
  ],
  [
    'DELETE /organizations/:id with a logo',
    async (service) => {
      const { path, body, file } = await scene(service);
      await service.admin.put(path, { ...body, organizationLogoFileId: file });
      return () => service.admin.delete(path);
    },
  ],
  [
    'POST /organizations/:id/managers',
    async (service) => {
      const [{ path }, { id }] = [await scene(service), await service.account()];
      return () => service.admin.post(`${path}/managers`, { userId: id });
    },
  ],
  [
    'POST /organizations/:id/apis',
    async (service) => {
      const { path } = await scene(service);
      return () => service.admin.post(`${path}/apis`, apiBody());
    },
  ],
  [
    'PUT /apis/:id that turns private',
    async (service) => {
      const { api } = await scene(service);
      return () => service.admin.put(`/apis/${api._id}`, { ...api, isPublic: false });
    },
  ],
  [
    'DELETE /apis/:id of a featured API',
    async (service) => {
      const { api } = await scene(service);
      return () => service.admin.delete(`/apis/${api._id}`);
    },
  ],
  ['POST /files', (service) => () => upload(service.admin)],
];

/** MaxTimeMSExpired and WriteConflict, as a server tells them. */
const TIMEOUT = { errorCode: 50 };
const CONFLICT = { errorCode: 112, errorLabels: ['TransientTransactionError'] };

describe('a write of several documents', () => {
  let database: OwnDatabase;
  let databases = 0;

  beforeAll(async () => {
    database = await OwnDatabase.start();
  });
  afterAll(() => database.stop());

  const start = (): Promise<Service> => startService({ MONGODB_URI: database.uri(`roster-${(databases += 1)}`) });

  /** The response to a write while commands fail by a fail point (`failCommand`), and whether anything has changed. */
  async function respond(service: Service, prepare: Write[1], mode: unknown, data: object): Promise<Outcome> {
    const write = await prepare(service);
    const before = await service.contents();
    const failPoint = { configureFailPoint: 'failCommand', mode, data };
    await service.connection.db?.admin().command(failPoint);
    const { status, body } = await write();
    await service.connection.db?.admin().command({ ...failPoint, mode: 'off' });
    const hasChanged = !isDeepStrictEqual(await service.contents(), before);
    return { status, code: body?.code as number | undefined, hasChanged };
  }

  it.each(WRITES)('%s: returns 503 and changes nothing, whichever of its commands fails', async (_title, prepare) => {
    // A commit that fails leaves a transaction open for a while, whose locks no other test must meet.
    const service = await start();
    let failed = 0;
    for (const command of [...COMMANDS, 'commitTransaction']) {
      const outcome = await respond(service, prepare, 'alwaysOn', { failCommands: [command], ...TIMEOUT });
      if (outcome.status < 300) continue;
      failed += 1;
      expect({ command, ...outcome }).toEqual({ command, status: 503, code: 1901, hasChanged: false });
    }
    // The commit, and at least one other.
    expect(failed).toBeGreaterThanOrEqual(2);
    await service.stop();
  });

  describe('that loses races', () => {
    let service: Service;
    beforeAll(async () => void (service = await start()));
    afterAll(() => service.stop());

    it.each(WRITES)('%s: returns 1510 and changes nothing after five lost races', async (_title, prepare) => {
      const outcome = await respond(service, prepare, 'alwaysOn', { failCommands: COMMANDS, ...CONFLICT });
      expect(outcome).toEqual({ status: 409, code: 1510, hasChanged: false });
    });

    it.each(WRITES)('%s: succeeds when only its first two attempts are lost', async (_title, prepare) => {
      const { status, hasChanged } = await respond(
        service,
        prepare,
        { times: 2 },
        { failCommands: COMMANDS, ...CONFLICT },
      );
      expect({ isSuccess: status < 300, hasChanged }).toEqual({ isSuccess: true, hasChanged: true });
    });
  });
});
