/** One instance and two on the same database, with as many connections in total. Roster only. */
import { step } from '../scripts/lib/steps.mjs';
import { createData, deleteInserted, startDatabase } from './data.mjs';
import { Load } from './load.mjs';
import { machine, median, table } from './report.mjs';
import { ROSTER, startService } from './services.mjs';

/** With two instances, requests of one account can conflict; the table shows how many did. */
const MAX_OTHER = 0.5;
const HEAD = ['', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs', 'CPU µs of the database', 'CPUs in total', 'refused %'];

export async function measure({ options, print, ...run }) {
  const { cases, connections, rounds, seconds } = options;
  const about = machine(`${connections} connections in total, ${rounds} rounds of ${seconds} s; medians of the rounds`);
  const { uri, pid, stop } = await step('Starting the database', () => startDatabase(run.folder));
  run.atEnd(stop);
  const data = await createData({ ...run, uri });
  const services = [];
  for (let count = 0; count < 2; count += 1) {
    services.push(await startService(ROSTER, { ...run, uri }));
    run.atEnd(services[count].stop);
  }
  const load = new Load(run, data, pid);
  const rows = [];
  for (const one of cases) {
    rows.push(...(await step(`${one.name} ${one.title}`, () => measureCase({ options, services, load, uri }, one))));
  }
  print(`\n${about}\n\n${table([HEAD, ...rows])}`);
}

/** @returns {Promise<string[][]>} a row for one instance, and one for two; measured in turn */
async function measureCase({ options, services, load, uri }, one) {
  const measured = [[], []];
  for (let round = 0; round <= options.rounds; round += 1) {
    for (const used of [services.slice(0, 1), services]) {
      const connections = options.connections / used.length;
      const size = { connections, seconds: options.seconds, maxOther: MAX_OTHER };
      const figures = await Promise.all(used.map((service) => load.closed(service, one, size)));
      if (one.inserts) await deleteInserted(uri);
      // The first round is the warm-up.
      if (round > 0) measured[used.length - 1].push(together(figures));
    }
  }
  return measured.map((all, index) => [
    index === 0 ? `${one.name} ${one.title}, one instance` : '    two instances',
    ...all[0].map((_, column) => {
      const value = median(all.map((figures) => figures[column]));
      return value.toFixed(value < 10 ? 2 : 0);
    }),
  ]);
}

/** The load on all instances at the same time, as one: the numbers of a row. */
function together(figures) {
  const total = (name) => figures.reduce((sum, one) => sum + one[name], 0);
  const average = (name) => figures.reduce((sum, one) => sum + one[name] * one.rps, 0) / total('rps');
  // Each of them measured the same database at the same time.
  const database = total('database') / figures.length;
  const p99 = Math.max(...figures.map((one) => one.p99));
  const databaseCpu = (database / total('rps')) * 1e6;
  return [
    total('rps'),
    average('p50'),
    p99,
    average('cpu'),
    databaseCpu,
    total('busy') + database,
    average('other') * 100,
  ];
}
