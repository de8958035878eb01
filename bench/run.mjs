import { say, step } from '../scripts/lib/steps.mjs';
import { checkServices } from './check.mjs';
import { createData, deleteInserted, startDatabase } from './data.mjs';
import { toJson } from './figures.mjs';
import { Load } from './load.mjs';
import { measure } from './measure.mjs';
import { caseTable, machine, notes, openLoopTable, processTable } from './report.mjs';
import { startService } from './services.mjs';

/**
 * Runs the benchmark on a database of its own, and stops what it started.
 *
 * @param {object} run
 * @param {import('./options.mjs').Options} run.options
 * @param {string} run.node
 * @param {string} run.folder for files of this run
 * @param {AbortSignal} run.signal
 * @param {string} run.secret
 * @param {(text: string) => void} run.print
 * @returns {Promise<number>} the exit code
 */
export async function runBench({ options, print, ...run }) {
  const { folder, node, signal } = run;
  const { connections, rounds, seconds } = options;
  const how = `${connections} connections, ${rounds} rounds of ${seconds} s; medians of the rounds`;
  const about = machine(how, !process.env.MONGODB_URI);
  const database = await step('Starting the database', () => startDatabase(folder));
  const services = [];
  try {
    const { uri, pid: databasePid } = database;
    const data = await createData({ ...run, uri });
    signal.throwIfAborted();
    const starts = await startServices(options, { ...run, uri }, data, services);
    await step('Checking that all services respond alike', () => checkServices(services, data));
    await deleteInserted(uri);
    if (options.check) return 0;
    const load = new Load({ folder, node, data, databasePid, signal });
    const results = await measure({ options, services, load, uri, signal });
    print(`\n${about}`);
    printResults(print, options, services, results, starts);
    if (options.json) print(toJson(results.loaded));
    return 0;
  } finally {
    for (const service of services) await service.stop();
    await database.stop();
  }
}

/** Measures the starts one after another. The last ones stay. */
async function startServices({ services: definitions, starts: count }, run, { tokens, organizations }, services) {
  const probe = { method: 'GET', path: `/organizations/${organizations[0]._id}`, token: tokens[0] };
  const times = Object.fromEntries(definitions.map(({ name }) => [name, []]));
  for (let start = 1; start <= count; start += 1) {
    for (const definition of definitions) {
      const service = await startService(definition, run, probe);
      times[definition.name].push(service.startMs);
      say(`· Started ${definition.title} in ${Math.round(service.startMs)} ms (${start} of ${count})`);
      if (start < count) await service.stop();
      else services.push(service);
    }
  }
  return times;
}

function printResults(print, { cases, connections }, services, { loaded, alone, openLoop }, starts) {
  for (const { name, title } of cases) {
    print(caseTable(`${name} ${title}, ${connections} connections`, services, loaded[name]));
  }
  for (const { name, title } of cases.filter((one) => one.name in alone)) {
    print(caseTable(`${name} ${title}, one connection`, services, alone[name]));
  }
  if (openLoop.length > 0) print(openLoopTable(openLoop));
  print(processTable(services, starts));
  print(notes(loaded));
}
