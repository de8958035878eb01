import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { ADMIN, startOwnService } from '../../test/support/own-service.mjs';
import { RosterClient } from '../typescript/dist/index.js';
import { type Proxy, startProxy } from './proxy.ts';

/** An account that is no Admin. */
export const ADA = { username: 'ada', companyName: 'Nets', email: 'ada@nets.example', password: 'many busy hands' };

type Credentials = Pick<typeof ADA, 'username' | 'password'>;

/** What a program printed. */
export interface Printed {
  code: unknown;
  output: string;
  errors: string;
}

/** A service for programs that have a key of its Admin, and a proxy between them. */
export class ProgramWorld {
  readonly #folder = mkdtempSync(join(tmpdir(), 'roster-program-'));
  #service!: Awaited<ReturnType<typeof startOwnService>>;
  #key!: string;
  proxy!: Proxy;
  admin!: RosterClient;

  async start(): Promise<void> {
    this.#service = await startOwnService();
    this.proxy = await startProxy(this.#service.address);
    this.admin = await this.loggedIn(ADMIN);
    this.#key = await this.keyOf(this.admin, ADMIN.password);
  }

  async stop(): Promise<void> {
    this.proxy.stop();
    await this.#service.stop();
    rmSync(this.#folder, { recursive: true });
  }

  async loggedIn({ username, password }: Credentials): Promise<RosterClient> {
    const client = new RosterClient({ baseUrl: this.#service.address });
    await client.logIn({ username, password });
    return client;
  }

  async keyOf(client: RosterClient, currentPassword: string): Promise<string> {
    const body = { name: 'program', scope: 'write' as const, currentPassword };
    return (await client.post('/users/{id}/api-keys', { params: { path: { id: 'me' } }, body })).data.key;
  }

  /** The path of a file in a folder of its own. */
  path(...names: string[]): string {
    return join(this.#folder, ...names);
  }

  /** Writes a file, and returns its path. */
  file(contents: string | Buffer, name: string): string {
    writeFileSync(this.path(name), contents);
    return this.path(name);
  }

  async run(runtime: string, args: string[], settings = {}): Promise<Printed> {
    this.proxy.sent = [];
    const access = { NODE_NO_WARNINGS: '1', ROSTER: this.proxy.address, ROSTER_KEY: this.#key, ...settings };
    return new Promise((resolve) =>
      execFile(runtime, args, { env: { ...env, ...access } }, (error, output, errors) =>
        resolve({ code: error?.code ?? 0, output, errors }),
      ),
    );
  }

  /** The requests of the last run that write. */
  writes(): string[] {
    return this.proxy.sent.filter((request) => !request.startsWith('GET'));
  }
}
