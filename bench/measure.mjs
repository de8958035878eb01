/** The order of the measurements. */
import { say } from '../scripts/lib/steps.mjs';
import { deleteInserted } from './data.mjs';
import { median } from './figures.mjs';

/** The case that is also measured at a constant rate, and the shares of a service's capacity. */
const OPEN_LOOP = 'R1';
const SHARES = [0.3, 0.6];

/** @typedef {Record<string, import('./load.mjs').Figures[]>} Rounds the figures of each round, by service */

/**
 * Measures everything. In each round, every service is measured once, one after the other; each round begins with
 * another one. So what changes on the machine meanwhile affects all of them.
 *
 * @param {object} bench
 * @param {import('./options.mjs').Options} bench.options
 * @param {import('./services.mjs').Service[]} bench.services
 * @param {import('./load.mjs').Load} bench.load
 * @param {string} bench.uri
 * @param {AbortSignal} bench.signal
 */
export async function measure(bench) {
  const { cases, connections, rounds, seconds, single, singleRounds, openLoopSeconds } = bench.options;
  const loaded = {};
  const alone = {};
  for (const one of cases) {
    loaded[one.name] = await measureCase(bench, one, { connections, rounds, seconds, warmUp: true });
  }
  for (const one of cases.filter(({ name }) => single.includes(name))) {
    alone[one.name] = await measureCase(bench, one, { connections: 1, rounds: singleRounds, seconds, warmUp: false });
  }
  const openLoop = openLoopSeconds > 0 && loaded[OPEN_LOOP] ? await measureOpenLoop(bench, loaded[OPEN_LOOP]) : [];
  return { loaded, alone, openLoop };
}

/** @returns {Promise<Rounds>} */
async function measureCase({ options, services, load, uri, signal }, one, { connections, rounds, seconds, warmUp }) {
  const run = async (service, size) => {
    signal.throwIfAborted();
    const figures = await load.closed(service, one, size);
    if (one.inserts) await deleteInserted(uri);
    return figures;
  };
  say(`\n· ${one.name} ${one.title}, ${connections === 1 ? 'one connection' : `${connections} connections`}`);
  if (warmUp) {
    say('  warm-up');
    for (const service of services) await run(service, { connections, seconds: options.warmUpSeconds });
  }
  const measured = Object.fromEntries(services.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const first = round % services.length;
    const shown = [];
    for (const service of [...services.slice(first), ...services.slice(0, first)]) {
      const figures = await run(service, { connections, seconds });
      measured[service.name].push(figures);
      shown.push(`${service.name} ${Math.round(figures.rps)}/s ${Math.round(figures.cpu)} µs`);
    }
    say(`  round ${round + 1} of ${rounds}: ${shown.join(', ')}`);
  }
  return measured;
}

/** Each service at shares of its own capacity, which is what it reached with many connections. */
async function measureOpenLoop({ options, services, load, signal }, capacities) {
  const rows = [];
  const one = options.cases.find(({ name }) => name === OPEN_LOOP);
  for (const share of SHARES) {
    say(`\n· ${OPEN_LOOP} at a constant rate, ${share * 100} % of the capacity`);
    for (const service of services) {
      signal.throwIfAborted();
      const rate = Math.round(share * median(capacities[service.name].map(({ rps }) => rps)));
      const figures = await load.constantRate(service, one, { rate, seconds: options.openLoopSeconds });
      rows.push({ service, share, rate, figures });
      say(`  ${service.name} ${rate}/s: p50 ${figures.p50.toFixed(1)} ms, p99 ${figures.p99.toFixed(1)} ms`);
    }
  }
  return rows;
}
