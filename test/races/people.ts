import { randomBytes } from 'node:crypto';
import { Types } from 'mongoose';
import { AccessTokens } from '../../src/auth/access-tokens';
import { User } from '../../src/users/user.schema';
import { describedFields } from '../../src/users/users.service';
import type { ApiResponse, Headers, Method } from '../support/client';
import { Service } from '../support/service';

/** The password of all people. */
export const PASSWORD = 'the password of the racers';

/**
 * Users in any number, each with a session: hundreds of rounds need more than the slow hashing of the API can give.
 * They are copies of one User that the API made.
 */
export class People {
  private constructor(
    private readonly service: Service,
    private readonly original: User,
  ) {}

  static async of(service: Service): Promise<People> {
    const { id } = await service.account({ password: PASSWORD });
    const original = await service.model<User>('User').findById(id).lean();
    return new People(service, original as User);
  }

  /** A new User, logged in. */
  async make(): Promise<Person> {
    const _id = new Types.ObjectId();
    const name = `racer-${randomBytes(8).toString('hex')}`;
    const described = describedFields({ username: name, companyName: name, email: `${name}@roster.example` });
    const session = { ...this.original.sessions[0], _id: new Types.ObjectId() };
    const user = { ...this.original, ...described, _id, sessions: [session] };
    await this.service.model<User>('User').create([user]);
    const { accessToken } = this.service.app.get(AccessTokens).issue(_id, session._id);
    return new Person(this.service, _id.toHexString(), name, accessToken);
  }

  several(count: number): Promise<Person[]> {
    return Promise.all(Array.from({ length: count }, () => this.make()));
  }
}

/** One of the people, as a client. */
export class Person {
  constructor(
    private readonly service: Service,
    readonly id: string,
    readonly username: string,
    private readonly token: string,
  ) {}

  /** The body of a PUT that leaves this person as they are, with these changes. */
  body(changes: object = {}): object {
    const { username } = this;
    return { username, companyName: username, email: `${username}@roster.example`, ...changes };
  }

  get(path: string): Promise<ApiResponse> {
    return this.send('GET', path);
  }

  post(path: string, payload: unknown): Promise<ApiResponse> {
    return this.send('POST', path, payload);
  }

  put(path: string, payload: unknown, headers?: Headers): Promise<ApiResponse> {
    return this.send('PUT', path, payload, headers);
  }

  delete(path: string, headers?: Headers): Promise<ApiResponse> {
    return this.send('DELETE', path, undefined, headers);
  }

  private send(method: Method, path: string, payload?: unknown, headers: Headers = {}): Promise<ApiResponse> {
    const authorization = `Bearer ${this.token}`;
    return this.service.nobody.send({ method, path, payload, headers: { authorization, ...headers } });
  }
}
