import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from '../support/program.mjs';
import { testFolder } from '../support/run-folder';
import { ADMIN, ADMIN_SETTINGS } from '../support/service';

const SCRIPTS = join(__dirname, '../../scripts');
const SETTINGS = { NODE_ENV: 'test', HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent', ...ADMIN_SETTINGS };
const LOGIN = { username: ADMIN.username, password: ADMIN.password };
const LISTS = ['/users', '/organizations', '/apis'];

describe('a copy of the data folder, made while Roster was stopped', () => {
  let original: string;
  let copy: string;
  let before: unknown[];

  beforeAll(async () => {
    [original, copy] = [join(testFolder(), 'data'), join(testFolder(), 'data')];
    const seed = new Program(
      [join(SCRIPTS, 'command.mjs'), 'seed', '--users', '5', '--organizations', '5', '--apis', '20'],
      {
        ...SETTINGS,
        DATA_DIR: original,
      },
    );
    expect(await seed.end()).toBe(0);
    before = await readAll(original);
    cpSync(original, copy, { recursive: true });
    rmSync(original, { recursive: true });
  });

  it('has all records and passwords', async () => {
    expect(await readAll(copy)).toEqual(before);
    expect(before).toMatchObject([{ length: 6 }, { length: 5 }, { length: 20 }]);
  });

  it('has no broken invariant', async () => {
    const check = new Program([join(SCRIPTS, 'command.mjs'), 'check:data'], { ...SETTINGS, DATA_DIR: copy });
    expect([await check.end(), check.errors]).toEqual([0, expect.any(String)]);
  });
});

/** Starts Roster on the folder, logs in, and reads all lists. */
async function readAll(dataDir: string): Promise<unknown[]> {
  const program = new Program([join(SCRIPTS, 'start.mjs')], { ...SETTINGS, DATA_DIR: dataDir });
  try {
    const [, url = ''] = await program.wrote(/ready at (\S+)\n[^]*Ctrl-C/);
    const json = { 'Content-Type': 'application/json' };
    const login = await fetch(`${url}/sessions`, { method: 'POST', headers: json, body: JSON.stringify(LOGIN) });
    const { data } = (await login.json()) as { data: { accessToken: string } };
    const headers = { Authorization: `Bearer ${data.accessToken}` };
    const read = async (path: string): Promise<unknown> => {
      const response = await fetch(`${url}${path}?limit=100`, { headers });
      return ((await response.json()) as { data: unknown }).data;
    };
    return await Promise.all(LISTS.map(read));
  } finally {
    await program.stop();
  }
}
