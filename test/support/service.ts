import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { getConnectionToken } from '@nestjs/mongoose';
import { Connection, Model } from 'mongoose';
import { createApp } from '../../src/create-app';
import { settingsFrom } from '../../src/load-settings';
import { Settings } from '../../src/config/settings';
import { DatabaseStart } from '../../src/database/database-start';
import { CreateUserInput } from '../../src/users/user.dto';
import { ResponseCheck } from './response-check';
import { Client } from './client';
import { databaseUri } from './database';

export { type ApiResponse, Client } from './client';

/** The first Admin of every service of the tests. */
export const ADMIN = { username: 'admin', email: 'admin@roster.example', password: 'an Admin of the tests' };

/**
 * Starts the real service on the real database: its own database, nothing listening, no request limits. To be stopped
 * by `stop`.
 *
 * @param env settings besides, as the environment gives them; with `MONGODB_URI` a second instance on the same database
 */
export async function startService(env: Record<string, string> = {}): Promise<Service> {
  const uri = env.MONGODB_URI ?? databaseUri(`service-${randomBytes(6).toString('hex')}`);
  const app = await createApp(settingsFrom({ ...defaults(), ...env, MONGODB_URI: uri }));
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  await app.get(DatabaseStart).ready;
  const service = new Service(app, uri, env.MONGODB_URI === undefined);
  // During maintenance nobody logs in.
  if (env.MAINTENANCE === undefined) await service.logInAdmin();
  return service;
}

function defaults(): Record<string, string> {
  return {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATA_DIR: tmpdir(),
    JWT_SECRET: 'a secret of the tests which keeps no one out',
    ADMIN_USERNAME: ADMIN.username,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    RATE_LIMIT_PER_MINUTE: '0',
    LOGIN_RATE_LIMIT_PER_MINUTE: '0',
  };
}

/** A service under test. */
export class Service {
  /** Without credentials. */
  readonly nobody: Client;
  /** Reaches what is stored. */
  readonly connection: Connection;
  private readonly basePath: string;
  private readonly check: ResponseCheck;
  private adminClient: Client | undefined;
  private accounts = 0;
  private address: Promise<string> | undefined;

  constructor(
    readonly app: NestFastifyApplication,
    /** The address of its database. */
    readonly databaseUri: string,
    private readonly ownsDatabase: boolean,
  ) {
    this.basePath = app.get(Settings).basePath;
    this.check = new ResponseCheck(this.basePath);
    this.nobody = new Client(app, this.check);
    this.connection = app.get<Connection>(getConnectionToken());
  }

  /** The first Admin. */
  get admin(): Client {
    if (!this.adminClient) throw new Error('The first Admin is not logged in.');
    return this.adminClient;
  }

  /** The Model of stored records: `service.model<User>('User')`. */
  model<T>(name: string): Model<T> {
    return this.connection.model<T>(name);
  }

  /** A new User, created over the API by the first Admin and logged in. What is not given is made up. */
  async account(fields: Partial<CreateUserInput> = {}): Promise<Client> {
    const number = (this.accounts += 1);
    const username = `user-${number}`;
    const email = `${username}@roster.example`;
    const body = { username, email, companyName: `Company ${number}`, password: `the password ${number}`, ...fields };
    const created = await this.admin.post(`${this.basePath}/users`, body);
    if (created.status !== 201) throw new Error(`POST /users: ${created.text}`);
    return this.logIn(body);
  }

  /** Another login of a User. */
  async logIn({ username, password }: { username: string; password: string }): Promise<Client> {
    const { status, text, body } = await this.nobody.post(`${this.basePath}/sessions`, { username, password });
    if (status !== 201) throw new Error(`POST /sessions: ${text}`);
    const { user, accessToken: token, refreshToken, tokenType: _, expiresIn: __, ...session } = body.data;
    return new Client(this.app, this.check, { user, password, session, token, refreshToken });
  }

  async logInAdmin(): Promise<void> {
    this.adminClient = await this.logIn(ADMIN);
  }

  /** Where the service listens, for tests over sockets; from the first call on. */
  url(): Promise<string> {
    this.address ??= this.app.listen(0, '127.0.0.1').then(() => this.app.getUrl());
    return this.address;
  }

  /** Stops the service and drops its database. */
  async stop(): Promise<void> {
    if (this.ownsDatabase) await this.connection.dropDatabase();
    await this.app.close();
  }
}
