import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { getConnectionToken } from '@nestjs/mongoose';
import { Connection, type ConnectOptions, Model, Types } from 'mongoose';
import { AccessTokens } from '../../src/platform/http/access/access-tokens';
import { Test } from '@nestjs/testing';
import { AppModule } from '../../src/app.module';
import { APP_OPTIONS, configureApp } from '../../src/create-app';
import { createAdapter } from '../../src/platform/http/edge/adapter';
import { settingsFrom } from '../../src/platform/operations/start/load-settings';
import { Settings } from '../../src/platform/base/settings/settings';
import { DatabaseStart } from '../../src/platform/records/start/database-start';
import { newRecord } from '../../src/platform/records/schema/derived-fields';
import { Transactions } from '../../src/platform/records/transactions/transactions';
import { toResponse } from '../../src/platform/http/responses/response-fields';
import { SessionDto } from '../../src/registry/sessions/session.dto';
import { CreateUserInput, UserDto } from '../../src/registry/users/user.dto';
import { type User, UserSchema } from '../../src/registry/users/user.schema';
import { AfterGuards } from './after-guards';
import { ResponseCheck } from './response-check';
import { Client } from './client';
import { DRIVER } from './connection';
import { databaseUri } from './database';

export { type ApiResponse, Client } from './client';

export const PASSWORD = 'the password of the tests';

export const ADMIN = { username: 'admin', email: 'admin@roster.example', password: 'an Admin of the tests' };

export const ADMIN_SETTINGS = { ADMIN_PASSWORD: ADMIN.password };

export const JWT_SECRET = 'a secret of the tests which keeps no one out';

type Env = Record<string, string>;

/**
 * Starts the real service on the real database: its own database, not listening, no request limits. Call `stop` at the
 * end.
 *
 * @param env more settings, as the environment gives them; with `MONGODB_URI` it is a second instance on that database
 * @param driver options of the driver, in the place of those of DRIVER
 */
export async function startService(env: Env = {}, driver: ConnectOptions = {}): Promise<Service> {
  const service = new Service(env, driver);
  await service.start();
  return service;
}

/** Starts an instance that may not become ready. */
export async function startInstance(env: Env, driver: ConnectOptions = {}): Promise<NestFastifyApplication> {
  const app = await createTestApp({ ...defaults(), ...env }, driver);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return app;
}

/** A service that is started before the tests of a file or a `describe`, and stopped after them. */
export function useService(env: Env = {}): Service {
  const service = new Service(env);
  beforeAll(() => service.start());
  afterAll(() => service.stop());
  return service;
}

/** Assembles what main.ts runs. */
async function createTestApp(env: Env, driver: ConnectOptions): Promise<NestFastifyApplication> {
  const settings = settingsFrom(env);
  const imports = [AppModule.forRoot(settings, { ...DRIVER, ...driver })];
  const module = await Test.createTestingModule({ imports }).compile();
  module.get(Transactions).timeLimit *= 10;
  const app = module.createNestApplication<NestFastifyApplication>(createAdapter(settings), APP_OPTIONS);
  return configureApp(app, settings);
}

function defaults(): Record<string, string> {
  return {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATA_DIR: tmpdir(),
    JWT_SECRET,
    ...ADMIN_SETTINGS,
    RATE_LIMIT_PER_MINUTE: '0',
    LOGIN_RATE_LIMIT_PER_MINUTE: '0',
    REGISTRATIONS_PER_HOUR: '0',
    // REGISTRATION=open needs it.
    USER_DIRECTORY: 'accounts',
  };
}

export class Service {
  app!: NestFastifyApplication;
  connection!: Connection;
  nobody!: Client;
  readonly databaseUri: string;
  /** Runs code between the guards and the handler of a request (meanwhile.ts). */
  readonly afterGuards = new AfterGuards();
  private basePath!: string;
  private check!: ResponseCheck;
  private adminClient: Client | undefined;
  private accounts = 0;
  /** An account as the API stored it: others are copies, since hashing a password takes long. */
  private template: User | undefined;
  private address: Promise<string> | undefined;

  constructor(
    private readonly env: Env,
    private readonly driver: ConnectOptions = {},
  ) {
    this.databaseUri = env.MONGODB_URI ?? databaseUri(`service-${randomBytes(6).toString('hex')}`);
  }

  async start(): Promise<void> {
    this.app = await createTestApp({ ...defaults(), ...this.env, MONGODB_URI: this.databaseUri }, this.driver);
    // Before what may fail: `stop` needs it.
    this.connection = this.app.get<Connection>(getConnectionToken());
    this.app.useGlobalGuards(this.afterGuards);
    await this.app.init();
    await this.app.getHttpAdapter().getInstance().ready();
    await this.app.get(DatabaseStart).ready;
    this.basePath = this.app.get(Settings).basePath;
    this.check = new ResponseCheck(this.basePath);
    this.nobody = new Client(this.app, this.check);
    // Nobody can log in during maintenance.
    if (this.env.MAINTENANCE === undefined) await this.logInAdmin();
  }

  get admin(): Client {
    if (!this.adminClient) throw new Error('The first Admin is not logged in.');
    return this.adminClient;
  }

  /** The Model of stored records: `service.model<User>('User')`. */
  model<T>(name: string): Model<T> {
    return this.connection.model<T>(name);
  }

  /** Reads a stored record. */
  stored<T>(name: string, _id: unknown): Promise<T | null> {
    return this.model<T>(name).findById(_id).schemaLevelProjections(false).lean<T>();
  }

  /** Everything that is stored, by collection; read by the service's own connection, or by this one. */
  async contents(connection = this.connection): Promise<Record<string, unknown[]>> {
    const all: Record<string, unknown[]> = {};
    // One after the other: the next transaction gets the session of the last one, and ends what a failed commit left.
    for (const { collection } of Object.values(this.connection.models))
      all[collection.name] = await connection.collection(collection.name).find().sort({ _id: 1 }).toArray();
    return all;
  }

  /**
   * A new User with a session. With default fields it is written straight into the database and has no refresh token;
   * otherwise it is like `registered`.
   */
  async account(fields: Partial<CreateUserInput> = {}): Promise<Client> {
    if (!this.template || Object.keys(fields).length > 0) return this.registered(fields);
    const now = new Date();
    const session = { ...this.template.sessions[0]!, _id: new Types.ObjectId(), createdAt: now, lastUsedAt: now };
    const own = { _id: new Types.ObjectId(), ...this.newNames(), createdAt: now, updatedAt: now };
    const fresh = { ...own, sessions: [session], knownAddresses: [] };
    const user = newRecord<User>(UserSchema, { ...this.template, ...fresh });
    await this.model<User>('User').collection.insertOne(user);
    const { accessToken: token } = this.app.get(AccessTokens).issue(user._id, session._id);
    const shown = { user: toResponse(UserDto, user) as Required<UserDto>, session: toResponse(SessionDto, session) };
    return new Client(this.app, this.check, { ...shown, password: PASSWORD, token });
  }

  accountsOf(count: number): Promise<Client[]> {
    return Promise.all(Array.from({ length: count }, () => this.account()));
  }

  /** A new User, created over the API by the first Admin, and logged in over it. Missing fields are made up. */
  async registered(fields: Partial<CreateUserInput> = {}): Promise<Client> {
    const body = { ...this.newNames(), password: PASSWORD, ...fields };
    const created = await this.admin.post(`${this.basePath}/users`, body);
    if (created.status !== 201) throw new Error(`POST /users: ${created.text}`);
    const client = await this.logIn(body);
    const user = await this.stored<User>('User', client.id);
    if (user && Object.keys(fields).length === 0) this.template ??= user;
    return client;
  }

  private newNames(): { username: string; email: string; companyName: string } {
    const username = `user-${(this.accounts += 1)}`;
    return { username, email: `${username}@roster.example`, companyName: `Company ${this.accounts}` };
  }

  async logIn({ username, password }: { username: string; password: string }): Promise<Client> {
    const { status, text, body } = await this.nobody.post(`${this.basePath}/sessions`, { username, password });
    if (status !== 201) throw new Error(`POST /sessions: ${text}`);
    const { user, accessToken: token, refreshToken, tokenType: _, expiresIn: __, ...session } = body.data;
    return new Client(this.app, this.check, { user, password, session, token, refreshToken });
  }

  async logInAdmin(): Promise<void> {
    this.adminClient = await this.logIn(ADMIN);
  }

  /** Address of the service, which listens from the first call on; for tests over sockets. */
  url(): Promise<string> {
    this.address ??= this.app.listen(0, '127.0.0.1').then(() => this.app.getUrl());
    return this.address;
  }

  /** After a start that failed, too: then that is the error of the test. */
  async stop(): Promise<void> {
    if (this.env.MONGODB_URI === undefined) await this.connection?.dropDatabase();
    await this.app?.close();
  }
}
