/** R1 with API keys and with the access tokens of logins, in turn on one service. Roster only. */
import { step } from '../scripts/lib/steps.mjs';
import { measureCase } from './compare.mjs';
import { CASES } from './cases.mjs';
import { send } from './client.mjs';
import { createData, expected, PASSWORD, startDatabase } from './data.mjs';
import { Load } from './load.mjs';
import { caseTable, machine } from './report.mjs';
import { ROSTER, startService } from './services.mjs';

export async function measure({ options, print, ...run }) {
  const { connections, rounds, seconds } = options;
  const about = machine(`${connections} connections, ${rounds} rounds of ${seconds} s; medians of the rounds`);
  const { uri, pid, stop } = await step('Starting the database', () => startDatabase(run.folder));
  run.atEnd(stop);
  const data = await createData({ ...run, uri });
  const service = await startService(ROSTER, { ...run, uri });
  run.atEnd(service.stop);
  const tokens = await step('Creating an API key for each User', () => createKeys(service.port, data.tokens));
  const services = [
    { ...service, title: 'with an API key', tokens },
    { ...service, title: 'with a session', name: 'sessions' },
  ];
  const bench = { options, services, load: new Load(run, data, pid), uri, signal: run.signal };
  const figures = await measureCase(bench, CASES[0], { connections, rounds, warmUp: true });
  print(`\n${about}\n${caseTable(CASES[0], `${connections} connections`, services, figures)}`);
}

/** @returns {Promise<string[]>} */
async function createKeys(port, tokens) {
  const keys = [];
  for (const token of tokens) {
    const { sub } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
    const body = JSON.stringify({ name: 'Benchmark', scope: 'read', currentPassword: PASSWORD });
    const request = { method: 'POST', path: `/users/${sub}/api-keys`, token, body };
    keys.push(JSON.parse((await expected(201, send(port, request))).text).data.key);
  }
  return keys;
}
