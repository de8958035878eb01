import { type Connection, createConnection } from 'mongoose';
import { databaseUri } from '../../test/support/database';
import { newRecord } from '../database/derived-fields';
import { UserReader } from './user-reader';
import { User, UserSchema } from './user.schema';

let connection: Connection;
let reader: UserReader;
/** The filter of each read. */
let reads: object[] = [];

beforeAll(async () => {
  connection = await createConnection(databaseUri('user-reader')).asPromise();
  const schema = UserSchema.clone();
  schema.pre('find', function () {
    reads.push(this.getFilter());
  });
  const users = connection.model<User>(User.name, schema);
  for (const username of ['ada', 'bob']) {
    const fields = { username, email: `${username}@roster.example`, companyName: 'Nets', roles: [] };
    await users.create([
      newRecord(UserSchema, { ...fields, emailSetByAdmin: true, passwordHash: `hash of ${username}` }),
    ]);
  }
  reader = new UserReader(users, 'usernameKey');
});
afterAll(async () => {
  await connection.dropDatabase();
  await connection.close();
});
beforeEach(() => (reads = []));

describe('Users by a unique key', () => {
  it('come with what a login compares, and without other internal fields', async () => {
    const user = await reader.find('ada');
    expect(user).toMatchObject({ username: 'ada', passwordHash: 'hash of ada', knownAddresses: [] });
    for (const field of ['usernameKey', 'searchText', 'sessions']) expect(user).not.toHaveProperty(field);
    expect(await reader.find('nobody')).toBeUndefined();
  });

  it('that are asked for during a read come with one read after it', async () => {
    const first = reader.find('ada');
    await new Promise(setImmediate);
    const others = await Promise.all(['bob', 'nobody', 'bob'].map((key) => reader.find(key)));
    expect([await first, ...others].map((user) => user?.username)).toEqual(['ada', 'bob', undefined, 'bob']);
    expect(reads).toEqual([{ usernameKey: 'ada' }, { usernameKey: { $in: ['bob', 'nobody'] } }]);
  });

  it('are found again after a read that failed', async () => {
    const failed = new Error('no database');
    jest.spyOn(reader as never, 'read').mockRejectedValueOnce(failed as never);
    await expect(reader.find('ada')).rejects.toBe(failed);
    expect((await reader.find('ada'))?.username).toBe('ada');
  });
});
