/** Requests per second of one instance and of two, which share a database and the processors. Roster only. */
import { say } from '../scripts/lib/steps.mjs';
import { Bench } from './bench.mjs';
import { machine, spreadOf, median, table } from './report.mjs';
import { ROSTER } from './services.mjs';

const HEAD = ['requests per second', 'one', 'two', 'two × one', 'CPU µs: one', 'two', 'database: one', 'two'];

export async function measure({ options, print, ...run }) {
  const { cases, connections, rounds, seconds } = options;
  const about = machine(`${connections} connections in all, ${rounds} rounds of ${seconds} s; medians of the rounds`);
  const bench = await Bench.start(run);
  const instances = [await bench.startService(ROSTER), await bench.startService({ ...ROSTER, name: 'second' })];
  const rows = [];
  try {
    for (const one of cases) {
      say(`· ${one.name} ${one.title}`);
      rows.push([`${one.name} ${one.title}`, ...(await measureRounds(bench, one, instances, options))]);
    }
  } finally {
    // Also when a later case fails, or on Ctrl-C.
    print(`\n${about}\nCPU per request, of the instances and of the database\n\n${table([HEAD, ...rows])}`);
  }
}

async function measureRounds(bench, one, instances, { connections, rounds, seconds, warmUpSeconds }) {
  const load = async (loaded, length) =>
    sumOf(await bench.measure(loaded, one, { connections: connections / loaded.length, seconds: length }));
  await load(instances, warmUpSeconds);
  const [alone, together] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await load([instances[round % instances.length]], seconds));
    together.push(await load(instances, seconds));
  }
  const medians = (key) => [alone, together].map((all) => median(all.map((figures) => figures[key])).toFixed(0));
  const ratios = together.map(({ rps }, round) => rps / alone[round].rps);
  return [...medians('rps'), spreadOf(ratios), ...medians('cpu'), ...medians('database')];
}

/** @param {Figures[]} all of the instances at the same time @returns requests per second, CPU (µs) per request */
function sumOf(all) {
  const rps = all.reduce((sum, figures) => sum + figures.rps, 0);
  const cpu = (all.reduce((sum, figures) => sum + figures.busy, 0) / rps) * 1e6;
  return { rps, cpu, database: (all[0].database / rps) * 1e6 };
}
