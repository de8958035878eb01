import { createPeople, startAttacker, fillOrganizations } from '../lib/flood.mjs';
import { repeat, until } from '../lib/processes.mjs';
import { startService } from '../lib/service.mjs';
import { SmallMemory } from '../lib/small-memory.mjs';

export const title = 'In 512 MiB: 500 held uploads, 400 connections that log in and 60 that search, at once';

const MEMORY_MIB = 512;
const RECORDS = 20_000;
const ACCOUNTS = 20;
/** How long the flood lasts (s), and the pause between two requests of others (ms). */
const FLOOD_S = 30;
const PAUSE_MS = 40;
/** Goals (s): until others get a response during the flood, and until all of theirs are served after it. */
const RESPONSE_S = 10;
const BACK_S = 5;

/** @param {import('../lib/report.mjs').Context} context */
export async function run({ report, times }) {
  const memory = SmallMemory.create(MEMORY_MIB);
  if (!memory) return report.note('Skipped: it needs a memory controller (cgroup) that root can use.');
  const { database, service } = await startService({}, undefined, memory);
  const usernames = Array.from({ length: ACCOUNTS }, (_, number) => `attacker-${number}`);
  const [other, ...attackers] = await createPeople(service, ['other', ...usernames]);
  await fillOrganizations(database.uri, times(RECORDS));

  const tokens = attackers.map(({ token }) => token);
  const floods = Object.entries({
    uploads: { connections: 500, tokens },
    logins: { connections: 400, usernames },
    searches: { connections: 60, token: tokens[0] },
  }).map(([attacker, orders]) => startAttacker(attacker, { base: service.base, ...orders }));
  const outcomes = await repeat(times(FLOOD_S), PAUSE_MS, () => other.get(other.organization));
  await Promise.all(floods.map((flood) => flood.stop()));
  const isServed = async () => (await other.get(other.organization)).status === 200;
  const back = await until(isServed, 'others are served').catch(() => Infinity);
  const read = () => other.get(other.organization);
  await repeat(BACK_S, PAUSE_MS, read);
  const later = await repeat(BACK_S, PAUSE_MS, read);

  for (const flood of floods) report.note(`The flood got ${flood.output.trim()}`);
  const refused = outcomes.filter(({ body }) => body?.code === 1903);
  report.note(`${refused.length} of ${outcomes.length} requests of others were refused (503, 1903)`);
  const failed = outcomes.filter((outcome) => outcome.status !== 200 && !refused.includes(outcome));
  const slowest = Math.max(...outcomes.map(({ seconds }) => seconds));
  report.atMost("the slowest response to others' requests", slowest, RESPONSE_S, 's');
  report.atMost(`of ${outcomes.length} requests of others neither served nor refused (1903)`, failed.length, 0);
  for (const line of new Set(failed.map(({ status, error }) => error ?? String(status)))) report.note(line);
  report.atMost('others are served again after', back, BACK_S, 's');
  const refusedLater = later.filter(({ status }) => status !== 200);
  report.atMost(`of ${later.length} requests of others ${BACK_S} s after it not served`, refusedLater.length, 0);
  report.atMost('the most memory (RSS)', service.peakRss, MEMORY_MIB, 'MiB');
}
