import { join } from 'node:path';
import { env, execPath } from 'node:process';
import type { Schemas } from '../typescript/dist/index.js';
import { ADA, ProgramWorld } from './program-world.ts';

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
  'typescript/examples/sync/sync.ts': execPath,
  'python/sync.py': env.PYTHON ?? 'python3',
};

/** What a run did. */
interface Run {
  code: unknown;
  summary: Summary | undefined;
  errors: string;
}

/** A program that syncs, and the service that it syncs with, in which another account has an Organization. */
export class SyncProgram extends ProgramWorld {
  readonly #program: string;
  readonly #runtime: string;

  constructor(program: string, runtime: string) {
    super();
    this.#program = program;
    this.#runtime = runtime;
  }

  override async start(): Promise<void> {
    await super.start();
    await this.admin.users.createOrUpdate(ADA);
    await (await this.loggedIn(ADA)).post('/organizations', { body: { name: 'Of Ada', url: 'https://ada.example' } });
  }

  /** Runs the program with a document. */
  async sync(document: string | Buffer, flags: string[] = [], settings = {}): Promise<Run> {
    const args = [join(CLIENTS, this.#program), this.file(document, 'organizations.json'), ...flags];
    const python = { PYTHONPATH: join(CLIENTS, 'python/dist') };
    const { code, output, errors } = await this.run(this.#runtime, args, { ...python, ...settings });
    return { code, summary: output === '' ? undefined : (JSON.parse(output) as Summary), errors };
  }

  async stored(): Promise<{ organizations: Schemas['OrganizationItem'][]; apis: Schemas['ApiItem'][] }> {
    return { organizations: await all(this.admin.list('/organizations')), apis: await all(this.admin.list('/apis')) };
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
