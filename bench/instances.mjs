/** One instance and two on the same database, with as many connections in total. Roster only. */
import { step } from '../scripts/lib/steps.mjs';
import { createData, deleteInserted, startDatabase } from './data.mjs';
import { median } from './figures.mjs';
import { Load } from './load.mjs';
import { machine, table } from './report.mjs';
import { SERVICES, startService } from './services.mjs';

/** With two instances, requests of one account can conflict; the table shows how many did. */
const MAX_OTHER = 0.5;

/**
 * Runs the benchmark on a database of its own, and stops what it started.
 *
 * @param {Parameters<typeof import('./growth.mjs').runGrowth>[0]} run
 * @returns {Promise<number>} the exit code
 */
export async function runInstances({ options, print, ...run }) {
  const { cases, connections, rounds, seconds } = options;
  const how = `${connections} connections in total, ${rounds} rounds of ${seconds} s; medians of the rounds`;
  const about = machine(how, !process.env.MONGODB_URI);
  const database = await step('Starting the database', () => startDatabase(run.folder));
  const services = [];
  try {
    const { uri, pid: databasePid } = database;
    const data = await createData({ ...run, uri });
    for (let count = 0; count < 2; count += 1) services.push(await startService(SERVICES[0], { ...run, uri }));
    const load = new Load({ ...run, data, databasePid });
    const rows = [];
    for (const one of cases) {
      rows.push(...(await step(`${one.name} ${one.title}`, () => measureCase({ options, services, load, uri }, one))));
    }
    print(`\n${about}\n\n${table([HEAD, ...rows])}`);
    return 0;
  } finally {
    for (const service of services) await service.stop();
    await database.stop();
  }
}

const HEAD = ['', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs', 'CPU µs of the database', 'CPUs in total', 'refused %'];

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
    ...Object.keys(all[0]).map((name) => {
      const value = median(all.map((figures) => figures[name]));
      return value.toFixed(value < 10 ? 2 : 0);
    }),
  ]);
}

/** The load on all instances at the same time, as one. */
function together(figures) {
  const total = (name) => figures.reduce((sum, one) => sum + one[name], 0);
  const average = (name) => figures.reduce((sum, one) => sum + one[name] * one.rps, 0) / total('rps');
  // Each of them measured the same database at the same time.
  const database = total('database') / figures.length;
  return {
    rps: total('rps'),
    p50: average('p50'),
    p99: Math.max(...figures.map(({ p99 }) => p99)),
    cpu: average('cpu'),
    databaseCpu: (database / total('rps')) * 1e6,
    busy: total('busy') + database,
    refused: average('other') * 100,
  };
}
