/** R1 with API keys and with the access tokens of logins, in turn on one service. Roster only. */
import { step } from '../scripts/lib/steps.mjs';
import { Bench } from './bench.mjs';
import { CASES } from './cases.mjs';
import { measureCase } from './compare.mjs';
import { expected, PASSWORD } from './data.mjs';
import { caseTable, machine } from './report.mjs';
import { ROSTER, send } from './services.mjs';

export async function measure({ options, print, ...run }) {
  const { connections, rounds, seconds } = options;
  const about = machine(`${connections} connections, ${rounds} rounds of ${seconds} s; medians of the rounds`);
  const bench = await Bench.start(run);
  const service = await bench.startService(ROSTER);
  const tokens = await step('Creating an API key for each User', () => createKeys(service.port, bench.data.tokens));
  const services = [
    { ...service, title: 'with an API key', tokens },
    { ...service, title: 'with a session', name: 'sessions' },
  ];
  const figures = await measureCase({ bench, services, options }, CASES[0], { connections, rounds, warmUp: true });
  print(`\n${about}\n${caseTable(CASES[0], `${connections} connections`, services, figures)}`);
}

/** @returns {Promise<string[]>} */
async function createKeys(port, tokens) {
  const keys = [];
  for (const token of tokens) {
    const body = JSON.stringify({ name: 'Benchmark', scope: 'read', currentPassword: PASSWORD });
    const request = { method: 'POST', path: '/users/me/api-keys', token, body };
    keys.push(JSON.parse((await expected(201, send(port, request))).text).data.key);
  }
  return keys;
}
