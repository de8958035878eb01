/** Measures Roster, its peer, and another build of Roster if there is one. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { say, step } from '../scripts/lib/steps.mjs';
import { atEnd } from '../test/chaos/lib/cleanup.mjs';
import { measureLoad } from './bench.mjs';
import { checkServices } from './check.mjs';
import { createData, deleteInserted, startDatabase } from './data.mjs';
import { caseTable, machine, processTable } from './report.mjs';
import { buildIn, RAW, ROSTER, startService } from './services.mjs';

export async function measure({ options, print, ...run }) {
  const { cases, connections, rounds, seconds, single } = options;
  const about = machine(`${connections} connections, ${rounds} rounds of ${seconds} s; medians of the rounds`);
  const database = await startDatabase(run.folder);
  const { services, starts } = await startServices(options, run, database);
  await step('Checking that both services respond alike', () => checkServices(services));
  await deleteInserted(services[0].uri);
  const tables = [];
  const measureAll = async (chosen, title, length) => {
    for (const one of chosen) {
      const how = one.limits ? `${one.limits.connections} connections` : title;
      const measured = await measureCase({ services, options, databasePid: database.pid }, one, length);
      tables.push(caseTable(one, how, services, measured));
    }
  };
  // Also when a later case fails, or on Ctrl-C: what was measured took minutes.
  atEnd(() => {
    print(['', about, ...tables].join('\n'));
    print(processTable(services, starts));
  });
  await measureAll(cases, `${connections} connections`, { connections, rounds, warmUp: true });
  await measureAll(single, 'one connection', { connections: 1, rounds: options.singleRounds });
}

/** Starts each several times, in turn, and measures that. The last ones stay. Roster and its peer share their records. */
async function startServices({ starts: count, with: checkout }, run, database) {
  const builds = checkout ? [ROSTER, buildIn(checkout)] : [ROSTER];
  const [own, ...others] = await step('Creating the records', async () => {
    const created = [];
    for (const build of builds) created.push(await createRecords(build, run, database));
    return created;
  });
  const definitions = [own, { ...own, ...RAW, flags: [], env: {} }, ...others];
  const starts = Object.fromEntries(definitions.map(({ name }) => [name, []]));
  const services = [];
  for (let start = 1; start <= count; start += 1) {
    for (const definition of definitions) {
      const { tokens, organizations } = definition.data;
      const probe = { method: 'GET', path: `/organizations/${organizations[0]._id}`, token: tokens[0] };
      const service = await startService(definition, definition, probe);
      starts[definition.name].push(service.startMs);
      say(`· Started ${definition.title} in ${Math.round(service.startMs)} ms (${start} of ${count})`);
      if (start < count) await service.stop();
      else services.push(service);
    }
  }
  return { services, starts };
}

/** Creates the records of a build in a database of its own. */
async function createRecords(build, run, database) {
  const own = { ...run, folder: join(run.folder, build.name), uri: database.uri(build.name) };
  mkdirSync(own.folder);
  return { ...build, ...own, data: await createData(build, own) };
}

/**
 * Measures every service once per round, one after the other; each round begins with another one. So what changes on the
 * machine meanwhile affects all of them.
 */
async function measureCase({ services, options, databasePid }, one, { connections, rounds, warmUp = false }) {
  const run = (service, seconds) => measureLoad(service, databasePid, one, { connections, seconds });
  say(`\n· ${one.name} ${one.title}, ${connections === 1 ? 'one connection' : `${connections} connections`}`);
  if (warmUp) for (const service of services) await run(service, options.warmUpSeconds);
  const measured = Object.fromEntries(services.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const first = round % services.length;
    const shown = [];
    for (const service of [...services.slice(first), ...services.slice(0, first)]) {
      const figures = await run(service, options.seconds);
      measured[service.name].push(figures);
      shown.push(`${service.name} ${Math.round(figures.rps)}/s ${Math.round(figures.cpu)} µs`);
    }
    say(`  round ${round + 1} of ${rounds}: ${shown.join(', ')}`);
  }
  return measured;
}
