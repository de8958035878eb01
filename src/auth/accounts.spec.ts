import { connect, Mongoose, Types } from 'mongoose';
import { databaseUri } from '../../test/support/database';
import { User, UserSchema } from '../users/user.schema';
import { Accounts } from './accounts';

const userId = new Types.ObjectId();
const [live, over] = [new Types.ObjectId(), new Types.ObjectId()];

let database: Mongoose;
let accounts: Accounts;
beforeAll(async () => {
  database = await connect(databaseUri('accounts'));
  const users = database.model<User>(User.name, UserSchema);
  const session = (_id: Types.ObjectId, milliseconds: number): object => ({
    _id,
    expiresAt: new Date(Date.now() + milliseconds),
  });
  await users.collection.deleteMany({});
  await users.collection.insertMany([
    { _id: userId, roles: [], sessions: [session(over, -1), session(live, 60_000)] },
    { _id: live, roles: ['admin'], sessions: [session(userId, 60_000)] },
  ]);
  accounts = new Accounts(users);
});
afterAll(async () => {
  await database.connection.dropDatabase();
  await database.disconnect();
});

const find = (user: Types.ObjectId, session: Types.ObjectId): Promise<unknown> =>
  accounts.find(String(user), String(session));

describe('the account of a token', () => {
  it('is its user, in its session', async () =>
    expect(await find(userId, live)).toEqual({ _id: userId, isAdmin: false, sessionId: live }));

  it('is an Admin by role', async () => expect(await find(live, userId)).toMatchObject({ isAdmin: true }));

  it.each([
    ['a session that is over', userId, over],
    ['a session of somebody else', live, over],
    ['a session that is not there', userId, new Types.ObjectId()],
    ['a user who is not there', over, live],
  ])('is nobody with %s', async (_, user, session) => expect(await find(user, session)).toBeUndefined());
});
