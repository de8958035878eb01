/** R1 with API keys and with the access tokens of logins, in turn on one service. Roster only. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { step } from '../scripts/lib/steps.mjs';
import { CASES } from './cases.mjs';
import { send } from './client.mjs';
import { createData, expected, PASSWORD, startDatabase } from './data.mjs';
import { Load } from './load.mjs';
import { machine, median, table } from './report.mjs';
import { ROSTER, startService } from './services.mjs';

const CASE = CASES[0];
const HEAD = [`${CASE.name} ${CASE.title}`, 'req/s', 'p50 ms', 'p99 ms', 'CPU µs'];

export async function measure({ options, print, ...run }) {
  const { connections, rounds, seconds } = options;
  const about = machine(`${connections} connections, ${rounds} rounds of ${seconds} s; medians of the rounds`);
  const { uri, pid, stop } = await step('Starting the database', () => startDatabase(run.folder));
  run.atEnd(stop);
  const data = await createData({ ...run, uri });
  const service = await startService(ROSTER, { ...run, uri });
  run.atEnd(service.stop);
  const keys = await step('Creating an API key for each User', () => createKeys(service.port, data.tokens));
  const loads = [data.tokens, keys].map((tokens, index) => {
    const folder = join(run.folder, String(index));
    mkdirSync(folder);
    return new Load({ ...run, folder }, { ...data, tokens }, pid);
  });
  const measured = [[], []];
  for (let round = 0; round <= rounds; round += 1) {
    // Each round begins with the other one; the first round is the warm-up.
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const figures = await loads[index].closed(service, CASE, { connections, seconds });
      if (round > 0) measured[index].push(figures);
    }
  }
  const rows = measured.map((all, index) => [
    index === 0 ? 'with a session' : 'with an API key',
    ...['rps', 'p50', 'p99', 'cpu'].map((figure) =>
      median(all.map((one) => one[figure])).toFixed(figure[0] === 'p' ? 1 : 0),
    ),
  ]);
  const ratios = measured[1].map(({ cpu }, round) => cpu / measured[0][round].cpu);
  const [ratio, low, high] = [median(ratios), Math.min(...ratios), Math.max(...ratios)].map((one) => one.toFixed(2));
  print(`\n${about}\n\n${table([HEAD, ...rows])}\n\nCPU with a key: ${ratio} × that with a session (${low}–${high})`);
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
