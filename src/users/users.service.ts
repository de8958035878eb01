import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Model, QueryFilter, Types } from 'mongoose';
import type { Account } from '../auth/account';
import { isDuplicateKey } from '../database/duplicate-key';
import { findPage } from '../database/find-page';
import { searchFilter, searchText } from '../database/search';
import { MAX_TRIES, Transactions } from '../database/transactions';
import { apiError } from '../errors/api-error';
import { caseFold, uniqueKey } from '../validation/case-fold';
import type { Page } from '../http/page';
import type { SearchablePageQuery } from '../validation/query/page-query.dto';
import { Admins } from './admins';
import { hashPassword } from './passwords';
import { CreateUserInput, SHOWN_USER, UserRecord } from './user.dto';
import { User } from './user.schema';

type Described = Pick<User, 'username' | 'companyName' | 'email'>;

/** One of the ways to name a User. */
type UserName = Partial<Record<'_id' | 'username' | 'email', string>>;

/** A User who was named, with what a login is compared with. */
export type FoundUser = UserRecord & Pick<User, 'passwordHash'>;

/** The list of Users, POST, and finding a User by what they are called. PUT and DELETE have services of their own. */
@Injectable()
export class UsersService {
  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    private readonly transactions: Transactions,
    private readonly admins: Admins,
  ) {}

  /** Admins see all Users, others themselves (contract §4). */
  list(caller: Account, query: SearchablePageQuery): Promise<Page<UserRecord>> {
    const visible: QueryFilter<User> = caller.isAdmin ? {} : { _id: caller._id };
    return findPage<UserRecord>(this.users, { ...visible, ...searchFilter(query.q) }, SHOWN_USER, query);
  }

  /**
   * Creates a User. A right that hangs on a value in the body is judged here: only Admins give roles.
   *
   * @param caller none where anyone may register
   * @throws Failure forbidden, usernameTaken, emailTaken, concurrentChange
   */
  async create(caller: Pick<Account, 'isAdmin'> | undefined, body: CreateUserInput): Promise<UserRecord> {
    if (body.roles.length > 0 && !caller?.isAdmin) throw apiError('forbidden');
    const now = new Date();
    const user: User = {
      _id: new Types.ObjectId(),
      ...describedFields(body),
      passwordHash: await hashPassword(body.password),
      roles: body.roles,
      sessions: [],
      referenceCount: 0,
      revision: 0,
      createdAt: now,
      updatedAt: now,
    };
    await this.insert(user);
    return user;
  }

  /**
   * The User with this id, username or e-mail address, the last two without regard to case; undefined if there is none.
   * One read, whether there is one or not.
   */
  async find({ _id, username, email }: UserName): Promise<FoundUser | undefined> {
    if (_id !== undefined) return this.findOne({ _id: new Types.ObjectId(_id) });
    const name = username ?? email ?? '';
    const user = await this.findOne({ [username === undefined ? 'emailKey' : 'usernameKey']: uniqueKey(name) });
    // The key also takes compatible characters for one another; a User is found by what differs in case only.
    const own = username === undefined ? user?.email : user?.username;
    return own !== undefined && caseFold(own) === caseFold(name) ? user : undefined;
  }

  private async findOne(filter: QueryFilter<User>): Promise<FoundUser | undefined> {
    return (await this.users.findOne(filter, { ...SHOWN_USER, passwordHash: 1 }).lean()) ?? undefined;
  }

  /** Tries again when whoever had the username or the e-mail address is gone by the time it is looked up. */
  private async insert(user: User): Promise<void> {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      try {
        return await this.insertOnce(user);
      } catch (error) {
        await this.explainConflict(error, user);
      }
    }
    throw apiError('concurrentChange');
  }

  private async insertOnce(user: User): Promise<void> {
    if (user.roles.length === 0) return void (await this.users.create([user]));
    await this.transactions.run(async () => {
      await this.admins.add(user._id);
      await this.users.create([user]);
    });
  }

  /**
   * Says which conflict a duplicate key stands for.
   *
   * @returns when nobody has the keys any more, so that the write may be tried again
   * @throws Failure usernameTaken, emailTaken; any other error as it is
   */
  async explainConflict(error: unknown, user: Pick<User, '_id' | 'usernameKey' | 'emailKey'>): Promise<undefined> {
    if (!isDuplicateKey(error)) throw error;
    const others = { _id: { $ne: user._id } };
    if (await this.users.exists({ usernameKey: user.usernameKey, ...others })) throw apiError('usernameTaken');
    if (await this.users.exists({ emailKey: user.emailKey, ...others })) throw apiError('emailTaken');
    return undefined;
  }
}

/** The fields that a User's description sets, with those that are made of it. */
export function describedFields({
  username,
  companyName,
  email,
}: Described): Described & Pick<User, 'usernameKey' | 'emailKey' | 'searchText'> {
  return {
    username,
    usernameKey: uniqueKey(username),
    companyName,
    email,
    emailKey: uniqueKey(email),
    searchText: searchText(username, companyName, email),
  };
}
