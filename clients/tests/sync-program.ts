import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { ADMIN, startOwnService } from '../../scripts/lib/own-service.mjs';
import { RosterClient, type Schemas } from '../typescript/dist/index.js';
import { type Proxy, startProxy } from './proxy.ts';

export type Entry = Schemas['OrganizationInput'] & { apis: Schemas['ApiInput'][] };
export type Summary = Record<'created' | 'updated' | 'unchanged' | 'deleted', number> & {
  missing: string[];
  rejected: string[];
};

/** 200 show the figures in clients/README.md. */
export const COUNT = Number(env.SYNC_ORGANIZATIONS ?? 34);
export const APIS = 3;
const CLIENTS = join(import.meta.dirname, '..');

/** The programs, with what runs them. */
export const programs = {
  'typescript/examples/sync.ts': execPath,
  'python/sync.py': env.PYTHON ?? 'python3',
};

/** What a run did. */
interface Run {
  code: unknown;
  summary: Summary | undefined;
  errors: string;
}

/** A program that syncs, and the service that it syncs with. */
export class SyncProgram {
  readonly #program: string;
  readonly #runtime: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'roster-sync-'));
  #service!: Awaited<ReturnType<typeof startOwnService>>;
  #key!: string;
  proxy!: Proxy;
  admin!: RosterClient;

  constructor(program: string, runtime: string) {
    this.#program = program;
    this.#runtime = runtime;
  }

  /** Starts the service, in which another account has an Organization. */
  async start(): Promise<void> {
    this.#service = await startOwnService();
    this.proxy = await startProxy(this.#service.address);
    this.admin = await this.#loggedIn(ADMIN);
    const body = { name: 'sync', scope: 'write' as const, currentPassword: ADMIN.password };
    this.#key = (await this.admin.post('/users/{id}/api-keys', { params: { path: { id: 'me' } }, body })).data.key;
    const ada = { username: 'ada', companyName: 'Nets', email: 'ada@nets.example', password: 'many busy hands' };
    await this.admin.users.createOrUpdate(ada);
    await (await this.#loggedIn(ada)).post('/organizations', { body: { name: 'Of Ada', url: 'https://ada.example' } });
  }

  async stop(): Promise<void> {
    this.proxy.stop();
    await this.#service.stop();
    rmSync(this.#folder, { recursive: true });
  }

  /** Runs the program with a document. */
  async run(document: string | Buffer, flags: string[] = [], settings = {}): Promise<Run> {
    const source = join(this.#folder, 'organizations.json');
    writeFileSync(source, document);
    this.proxy.sent = [];
    const access = { ROSTER: this.proxy.address, ROSTER_KEY: this.#key, PYTHONPATH: join(CLIENTS, 'python/dist') };
    return new Promise((resolve) =>
      execFile(
        this.#runtime,
        [join(CLIENTS, this.#program), source, ...flags],
        { env: { ...env, NODE_NO_WARNINGS: '1', ...access, ...settings } },
        (error, stdout, errors) => {
          const summary = stdout === '' ? undefined : (JSON.parse(stdout) as Summary);
          resolve({ code: error?.code ?? 0, summary, errors });
        },
      ),
    );
  }

  writes(): string[] {
    return this.proxy.sent.filter((request) => !request.startsWith('GET'));
  }

  async stored(): Promise<{ organizations: Schemas['OrganizationItem'][]; apis: Schemas['ApiItem'][] }> {
    return { organizations: await all(this.admin.list('/organizations')), apis: await all(this.admin.list('/apis')) };
  }

  async #loggedIn({ username, password }: { username: string; password: string }): Promise<RosterClient> {
    const client = new RosterClient({ baseUrl: this.#service.address });
    await client.logIn({ username, password });
    return client;
  }
}

async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

export function entry(name: string): Entry {
  const url = `https://example.com/${encodeURI(name)}`;
  const apis = ['Orders', 'Catalogue', 'Prices'].slice(0, APIS).map((api) => ({ name: api, url: `${url}/${api}` }));
  return { name, url, description: `All about ${name}.`, apis };
}
