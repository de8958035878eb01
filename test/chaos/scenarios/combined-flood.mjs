import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { SERVICE, SERVICE_FLAGS } from '../../../scripts/lib/paths.mjs';
import { atEnd } from '../lib/cleanup.mjs';
import { createPeople, fillOrganizations, startAttacker } from '../lib/flood.mjs';
import { repeat, startService, until } from '../lib/programs.mjs';

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

export async function run({ report, times }) {
  const group = limitMemory();
  if (!group) return report.note('Skipped: it needs a memory controller (cgroup) that root can use.');
  // A shell enters the group and becomes Node.js.
  const command = ['-c', 'echo $$ > "$0" && exec "$@"', `${group}/cgroup.procs`, process.execPath];
  const { database, service } = await startService({}, undefined, [[...command, ...SERVICE_FLAGS, SERVICE], 'sh']);
  const usernames = Array.from({ length: ACCOUNTS }, (_, number) => `attacker-${number}`);
  const [other, ...attackers] = await createPeople(service, ['other', ...usernames]);
  await fillOrganizations(database.uri, times(RECORDS));

  const read = () => other.get(other.organization);
  const tokens = attackers.map(({ token }) => token);
  const floods = Object.entries({
    uploads: { connections: 500, tokens },
    logins: { connections: 400, usernames },
    searches: { connections: 60, token: tokens[0] },
  }).map(([attacker, orders]) => startAttacker(attacker, { base: service.base, ...orders }));
  const outcomes = await repeat(times(FLOOD_S), PAUSE_MS, read);
  await Promise.all(floods.map((flood) => flood.stop()));
  const back = await until(async () => (await read()).status === 200, 'others are served').catch(() => Infinity);
  await repeat(BACK_S, PAUSE_MS, read);
  const later = await repeat(BACK_S, PAUSE_MS, read);

  for (const flood of floods) report.note(`The flood got ${flood.output.trim()}`);
  const refused = outcomes.filter(({ body }) => body?.code === 1903);
  report.note(`${refused.length} of ${outcomes.length} requests of others were refused (503, 1903)`);
  const failed = outcomes.filter((outcome) => outcome.status !== 200 && !refused.includes(outcome));
  const slowest = Math.max(...outcomes.map(({ seconds }) => seconds));
  report.atMost("the slowest response to others' requests", slowest, RESPONSE_S, 's');
  const lines = failed.map(({ status, error }) => error ?? String(status));
  report.none(`of ${outcomes.length} requests of others neither served nor refused (1903)`, lines);
  report.atMost('others are served again after', back, BACK_S, 's');
  const refusedLater = later.filter(({ status }) => status !== 200);
  report.atMost(`of ${later.length} requests of others ${BACK_S} s after it not served`, refusedLater.length, 0);
  report.atMost('the most memory (RSS)', service.peakRss, MEMORY_MIB, 'MiB');
}

/** A group of processes with little memory, as a container. @returns {string | undefined} its folder, if root can make one */
function limitMemory() {
  // cgroup v1 and v2
  for (const [folder, file] of [
    ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
    ['/sys/fs/cgroup', 'memory.max'],
  ]) {
    const group = `${folder}/roster-chaos-${process.pid}`;
    try {
      mkdirSync(group);
      atEnd(() => rmdirSync(group));
      writeFileSync(`${group}/${file}`, String(MEMORY_MIB * 2 ** 20));
      return group;
    } catch {
      // Not mounted, or not for us to use.
    }
  }
  return undefined;
}
