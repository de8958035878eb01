import { ApiResponse, Client } from './support/client';
import { OwnDatabase } from './support/own-database';
import { Service, startService } from './support/service';

const url = 'https://roster.example';

/** A transaction, with what it needs, and the kinds of commands that it sends. */
interface Transaction {
  title: string;
  commands: readonly string[];
  prepare(service: Service): Promise<() => Promise<ApiResponse>> | (() => Promise<ApiResponse>);
}

async function organizationOf(manager: Client, name: string): Promise<string> {
  const { body } = await manager.post('/organizations', { name, url });
  return `/organizations/${body.data._id}`;
}

let numbers = 0;
const newName = (): string => `Name ${(numbers += 1)}`;

function bodyOf(client: Client, changes: object): object {
  const { username, companyName, email } = client.user;
  return { username, companyName, email, ...changes };
}

const TRANSACTIONS: Transaction[] = [
  {
    title: 'POST /users of an Admin',
    commands: ['update', 'insert', 'commitTransaction'],
    prepare: (service) => {
      const username = `admin-${(numbers += 1)}`;
      const person = {
        username,
        companyName: 'Company',
        email: `${username}@x.example`,
        password: 'a long passphrase',
      };
      return () => service.admin.post('/users', { ...person, roles: ['admin'] });
    },
  },
  {
    title: 'PUT /users/:id that grants the role of Admin',
    commands: ['update', 'findAndModify', 'commitTransaction'],
    prepare: async (service) => {
      const user = await service.account();
      return () => service.admin.put(`/users/${user.id}`, bodyOf(user, { roles: ['admin'] }));
    },
  },
  {
    title: 'PUT /users/:id that changes the username',
    commands: ['delete', 'insert', 'findAndModify', 'commitTransaction'],
    prepare: async (service) => {
      const user = await service.account();
      return () => user.put(`/users/${user.id}`, bodyOf(user, { username: `renamed-${(numbers += 1)}` }));
    },
  },
  {
    title: 'DELETE /users/:id of a Manager',
    commands: ['update', 'delete', 'commitTransaction'],
    prepare: async (service) => {
      const [one, other] = [await service.account(), await service.account()];
      const path = await organizationOf(one, newName());
      await one.post(`${path}/managers`, { userId: other.id });
      return () => other.delete(`/users/${other.id}`);
    },
  },
  {
    title: 'POST /organizations',
    commands: ['update', 'insert', 'commitTransaction'],
    prepare: (service) => () => service.admin.post('/organizations', { name: newName(), url }),
  },
  {
    title: 'PUT /organizations/:id that changes the name',
    commands: ['delete', 'insert', 'findAndModify', 'commitTransaction'],
    prepare: async (service) => {
      const path = await organizationOf(service.admin, newName());
      return () => service.admin.put(path, { name: newName(), url });
    },
  },
  {
    title: 'DELETE /organizations/:id',
    commands: ['delete', 'commitTransaction'],
    prepare: async (service) => {
      const path = await organizationOf(service.admin, newName());
      await service.admin.post(`${path}/apis`, { name: 'Api', url, isPublic: true });
      return () => service.admin.delete(path);
    },
  },
  {
    title: 'POST /organizations/:id/managers',
    commands: ['update', 'commitTransaction'],
    prepare: async (service) => {
      const added = await service.account();
      const path = await organizationOf(service.admin, newName());
      return () => service.admin.post(`${path}/managers`, { userId: added.id });
    },
  },
  {
    title: 'POST /organizations/:id/apis',
    commands: ['update', 'insert', 'commitTransaction'],
    prepare: async (service) => {
      const path = await organizationOf(service.admin, newName());
      return () => service.admin.post(`${path}/apis`, { name: 'Api', url });
    },
  },
];

/** MaxTimeMSExpired and WriteConflict, as a server tells them. */
const TIMEOUT = { errorCode: 50 };
const CONFLICT = { errorCode: 112, errorLabels: ['TransientTransactionError'] };

describe('a transaction whose step fails', () => {
  let database: OwnDatabase;
  let service: Service;

  beforeAll(async () => {
    database = await OwnDatabase.start();
    service = await startService({ MONGODB_URI: database.uri() });
  });
  afterEach(() => failWith('off'));
  afterAll(async () => {
    await service.stop();
    await database.stop();
  });

  /** Makes the database fail commands by a fail point (`failCommand`). */
  async function failWith(mode: unknown, data?: object): Promise<void> {
    await service.connection.db?.admin().command({ configureFailPoint: 'failCommand', mode, ...(data && { data }) });
  }

  /** All that is stored. */
  async function stored(): Promise<Record<string, unknown[]>> {
    const all: Record<string, unknown[]> = {};
    for (const { collection } of Object.values(service.connection.models)) {
      all[collection.name] = await service.connection.collection(collection.name).find().sort({ _id: 1 }).toArray();
    }
    return all;
  }

  const steps = TRANSACTIONS.flatMap((transaction) =>
    transaction.commands.map((command) => [transaction.title, command, transaction] as const),
  );

  it.each(steps)('%s: leaves nothing, and answers 503, when "%s" fails', async (_, command, { prepare }) => {
    const write = await prepare(service);
    const before = await stored();
    await failWith('alwaysOn', { failCommands: [command], ...TIMEOUT });
    const answer = await write();
    await failWith('off');
    expect([answer.status, answer.body.code]).toEqual([503, 1901]);
    expect(await stored()).toEqual(before);
  });

  it.each(TRANSACTIONS)('$title: answers 1510 after five races lost, and leaves nothing', async (transaction) => {
    const write = await transaction.prepare(service);
    const before = await stored();
    await failWith('alwaysOn', { failCommands: [transaction.commands[0]], ...CONFLICT });
    const answer = await write();
    await failWith('off');
    expect([answer.status, answer.body.code]).toEqual([409, 1510]);
    expect(await stored()).toEqual(before);
  });

  it.each(TRANSACTIONS)('$title: comes through when only its first tries are lost', async (transaction) => {
    const write = await transaction.prepare(service);
    await failWith({ times: 2 }, { failCommands: [transaction.commands.at(-2) ?? ''], ...CONFLICT });
    expect((await write()).status).toBeLessThan(300);
  });
});
