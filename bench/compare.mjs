/** Measures Roster and its peer. */
import { say, step } from '../scripts/lib/steps.mjs';
import { atEnd } from '../test/chaos/lib/cleanup.mjs';
import { Bench } from './bench.mjs';
import { checkServices } from './check.mjs';
import { deleteInserted } from './data.mjs';
import { caseTable, machine, processTable } from './report.mjs';
import { SERVICES, startService } from './services.mjs';

/** @typedef {Record<string, import('./bench.mjs').Figures[]>} Rounds the figures of each round, by service */

export async function measure({ options, print, ...run }) {
  const { cases, connections, rounds, seconds, single } = options;
  const about = machine(`${connections} connections, ${rounds} rounds of ${seconds} s; medians of the rounds`);
  const bench = await Bench.start(run);
  const { services, starts } = await startServices(options, bench);
  const { data } = bench;
  const { uri } = bench.run;
  await step('Checking that all services respond alike', () => checkServices(services, data, uri));
  await deleteInserted(uri);
  if (options.check) return;
  const tables = [];
  const measureAll = async (chosen, title, length) => {
    for (const one of chosen) {
      const how = one.limits ? `${one.limits.connections} connections` : title;
      tables.push(caseTable(one, how, services, await measureCase({ bench, services, options }, one, length)));
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

/** Measures the starts one after another. The last ones stay. */
async function startServices({ starts: count }, { run, data: { tokens, organizations } }) {
  const probe = { method: 'GET', path: `/organizations/${organizations[0]._id}`, token: tokens[0] };
  const starts = Object.fromEntries(SERVICES.map(({ name }) => [name, []]));
  const services = [];
  for (let start = 1; start <= count; start += 1) {
    for (const definition of SERVICES) {
      const service = await startService(definition, run, probe);
      starts[definition.name].push(service.startMs);
      say(`· Started ${definition.title} in ${Math.round(service.startMs)} ms (${start} of ${count})`);
      if (start < count) await service.stop();
      else services.push(service);
    }
  }
  return { services, starts };
}

/**
 * Measures every service once per round, one after the other; each round begins with another one. So what changes on the
 * machine meanwhile affects all of them.
 */
async function measureCase({ bench, services, options }, one, { connections, rounds, warmUp = false }) {
  const run = (service, seconds) => bench.measure(service, one, { connections, seconds });
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
