/** Requests per second of one instance and of two, which share a database and the processors. Roster only. */
import { say } from '../scripts/lib/steps.mjs';
import { Bench } from './bench.mjs';
import { machine, spreadOf, median, table } from './report.mjs';
import { ROSTER } from './services.mjs';

export async function measure({ options, print, ...run }) {
  const { cases, connections, rounds, seconds } = options;
  const about = machine(`${connections} connections in all, ${rounds} rounds of ${seconds} s; medians of the rounds`);
  const bench = await Bench.start(run);
  const instances = [await bench.startService(ROSTER), await bench.startService({ ...ROSTER, name: 'second' })];
  const rows = [];
  for (const one of cases) {
    say(`· ${one.name} ${one.title}`);
    rows.push([`${one.name} ${one.title}`, ...(await measureRounds(bench, one, instances, options))]);
  }
  print(`\n${about}\n\n${table([['requests per second', 'one instance', 'two', 'two × one'], ...rows])}`);
}

async function measureRounds(bench, one, instances, { connections, rounds, seconds, warmUpSeconds }) {
  const throughput = async (loaded, length) => {
    const share = { connections: connections / loaded.length, seconds: length };
    const figures = await bench.measure(loaded, one, share);
    return figures.reduce((sum, { rps }) => sum + rps, 0);
  };
  await throughput(instances, warmUpSeconds);
  const [alone, together] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await throughput([instances[round % instances.length]], seconds));
    together.push(await throughput(instances, seconds));
  }
  const ratios = together.map((rps, round) => rps / alone[round]);
  return [median(alone).toFixed(0), median(together).toFixed(0), spreadOf(ratios)];
}
