import { join } from 'node:path';
import { execPath } from 'node:process';
import type { Schemas } from '../typescript/dist/index.js';
import { type Printed, ProgramWorld } from './program-world.ts';

/** What `npm run import:csv` runs. */
export const NPM_SCRIPT = [join(import.meta.dirname, '../../scripts/csv.mjs'), 'import-csv'];
const PROGRAM = [join(import.meta.dirname, '../typescript/examples/import-csv/import-csv.ts')];

/** What the import says, line by line. */
type Report = Pick<Printed, 'code' | 'errors'> & { lines: string[] };

/** The import of spreadsheets, and the service that it imports to. */
export class ImportProgram extends ProgramWorld {
  /** Writes a file, and returns its path. */
  override file(contents: string | Buffer, name = 'rows.csv'): string {
    return super.file(contents, name);
  }

  async import(args: string[], settings = {}, program = PROGRAM): Promise<Report> {
    const { code, output, errors } = await this.run(execPath, [...program, ...args], settings);
    return { code, lines: output.split('\n').slice(0, -1), errors };
  }

  async organization(name: string): Promise<Schemas['OrganizationItem'] | undefined> {
    return (await this.admin.get('/organizations', { params: { query: { name } } })).data[0];
  }

  async api(name: string): Promise<Schemas['ApiItem'] | undefined> {
    return (await this.admin.get('/apis', { params: { query: { name } } })).data[0];
  }
}
