import { join } from 'node:path';
import { Client } from '../support/http-client.mjs';
import type { Program } from '../support/program.mjs';
import { testFolder } from '../support/run-folder';
import { ADMIN, ADMIN_SETTINGS } from '../support/service';
import { inTerminal } from '../support/terminal';

const ROOT = join(__dirname, '../..');

describe('in a terminal with colors', () => {
  let command: Program;

  afterEach(() => command.stop());

  it('npm start shows its address, serves, and ends at Ctrl-C without an error', async () => {
    // In tests no file .env is read.
    const env = { NODE_ENV: 'test', PORT: '0', DATA_DIR: testFolder(), ...ADMIN_SETTINGS };
    command = inTerminal(['npm', 'start'], env, ROOT);
    const [, url = ''] = await command.wrote(/ready at (\S+)\r\n[^]*Ctrl-C/);
    await Client.logIn(url, ADMIN);
    await command.stop();
    expect(command.output).toMatch(/Stopped\. Your data stays in (?![^]*npm err)/);
  });
});
