/** Memory over time. Roster only. */
import { say } from '../scripts/lib/steps.mjs';
import { Bench } from './bench.mjs';
import { CASES } from './cases.mjs';
import { memory } from './process-usage.mjs';
import { machine, table } from './report.mjs';
import { ROSTER, startService } from './services.mjs';

const LIST_OF_100 = {
  name: 'list-of-100',
  status: 200,
  requests: () => [{ method: 'GET', path: '/organizations?limit=100' }],
};
/** R1 to R6, with R3X, and a list of 100. */
const MIXED = [...CASES.filter(({ name }) => name <= 'R6'), LIST_OF_100];

export async function measure({ options, print, ...run }) {
  const { connections, quick } = options;
  const [seconds, minutes] = quick ? [2, 1] : [10, 10];
  const about = machine(`${connections} connections; R1 to R6 with R3X and lists of 100 in turn, ${seconds} s each`);
  const bench = await Bench.start(run);
  const service = await startService(ROSTER, bench.run);
  const rows = [];
  for (const began = Date.now(); Date.now() - began < minutes * 60_000;) {
    for (const one of MIXED) await bench.measure(service, one, { connections, seconds });
    const { rss, peak } = memory(service.pid);
    rows.push([((Date.now() - began) / 60_000).toFixed(1), rss.toFixed(0), peak.toFixed(0)]);
    say(`· ${rows.at(-1).join(', ')}`);
  }
  print(`\n${about}\n\n${table([['minutes', 'RSS MiB', 'peak MiB'], ...rows])}`);
}
