/** Requests per second of one instance and of two, which share a database and the processors. Roster only. */
import { say, step } from '../scripts/lib/steps.mjs';
import { createData, deleteInserted, startDatabase } from './data.mjs';
import { Load } from './load.mjs';
import { machine, median, table } from './report.mjs';
import { ROSTER, startService } from './services.mjs';

export async function measure({ options, print, ...run }) {
  const { cases, connections, rounds, seconds } = options;
  const about = machine(`${connections} connections in all, ${rounds} rounds of ${seconds} s; medians of the rounds`);
  const { uri, pid, stop } = await step('Starting the database', () => startDatabase(run.folder));
  run.atEnd(stop);
  const data = await createData({ ...run, uri });
  const instances = [];
  for (const name of ['roster', 'second']) {
    const service = await startService({ ...ROSTER, name }, { ...run, uri });
    run.atEnd(service.stop);
    instances.push(service);
  }
  const load = new Load(run, data, pid);
  const rows = [];
  for (const one of cases) {
    say(`· ${one.name} ${one.title}`);
    const throughput = async (loaded, length) => {
      const share = { connections: connections / loaded.length, seconds: length };
      const figures = await Promise.all(loaded.map((service) => load.closed(service, one, share)));
      if (one.inserts) await deleteInserted(uri);
      return figures.reduce((sum, { rps }) => sum + rps, 0);
    };
    rows.push([`${one.name} ${one.title}`, ...(await measureRounds(throughput, instances, options))]);
  }
  print(`\n${about}\n\n${table([['requests per second', 'one instance', 'two', 'two × one'], ...rows])}`);
}

/** @param throughput requests per second of these instances under load for so many seconds */
async function measureRounds(throughput, instances, { rounds, seconds, warmUpSeconds }) {
  await throughput(instances, warmUpSeconds);
  const [alone, together] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await throughput([instances[round % instances.length]], seconds));
    together.push(await throughput(instances, seconds));
  }
  const ratios = together.map((rps, round) => rps / alone[round]);
  const [ratio, low, high] = [median(ratios), Math.min(...ratios), Math.max(...ratios)].map((one) => one.toFixed(2));
  return [median(alone).toFixed(0), median(together).toFixed(0), `${ratio} (${low}–${high})`];
}
