import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../../support/http-client.mjs';
import { addCopies, withDb } from '../../../bench/data.mjs';
import { ADMIN, repeat, start } from './programs.mjs';
import { percentile } from './report.mjs';

const ATTACKER = fileURLToPath(new URL('../attacker.mjs', import.meta.url));
/** Time for which others are observed before the flood, and during it (s). */
const OBSERVED_S = 20;
/** Head start of the flood (ms). */
const RAMP_MS = 2000;
/** The pause between two of their requests (ms). */
const PAUSE_MS = 40;
const MAX_RSS_MIB = 400;

/** Creates Users and logs them in, each with an Organization, whose path is `organization` of the client. */
export async function createPeople(service, usernames) {
  const people = await createUsers(service, usernames);
  for (const person of people) {
    const organization = await createOrganization(person, person.user.username);
    Object.assign(person, { organization: `/organizations/${organization._id}` });
  }
  return people;
}

/** Creates Users and logs them in. */
export async function createUsers(service, usernames) {
  const admin = await service.admin();
  const users = [];
  for (const username of usernames) {
    const email = `${username}@roster.example`;
    await admin.send('POST', '/users', { username, companyName: username, email, ...passwordOf(username) });
    users.push(await Client.logIn(service.base, { username, ...passwordOf(username) }));
  }
  return users;
}

export async function createOrganization(client, name) {
  const fields = { name, url: 'https://roster.example', description: 'Fills a list. '.repeat(20) };
  return (await client.send('POST', '/organizations', fields)).body.data;
}

export function passwordOf(username) {
  return { password: `${ADMIN.password}, ${username}` };
}

/**
 * Observes an honest client (`other`) before a flood and during it, and reports how much slower it gets. The attacker is
 * told `orders`; `meanwhile` is what else happens during the flood.
 */
export async function withstand({ report, times }, { service, other, attacker, orders, meanwhile }) {
  const seconds = times(OBSERVED_S);
  const before = await observe(other, seconds);
  const flood = startAttacker(attacker, { base: service.base, ...orders });
  await sleep(RAMP_MS);
  const [during] = await Promise.all([observe(other, seconds), meanwhile?.(seconds)]);
  await flood.stop();
  report.note(`The flood got ${flood.output.trim()}`);
  report.note(
    `The median of others: ${milliseconds(before.median)} before, ${milliseconds(during.median)} during the flood`,
  );
  report.atMost("the others' median, as a multiple of that before", during.median / before.median, 2);
  report.none(`failed of ${during.count} requests of others`, during.failed);
  report.atMost('the most memory (RSS)', service.peakRss, MAX_RSS_MIB, 'MiB');
}

/** Starts an attack of attacker.mjs, by default less important than the others: attackers have machines of their own. */
export function startAttacker(name, orders, priority = constants.priority.PRIORITY_BELOW_NORMAL) {
  const program = start([ATTACKER, name, JSON.stringify(orders)]);
  setPriority(program.pid, priority);
  return program;
}

/** Reads a record again and again. A list would show a weakness of the embedded database: it reads all records. */
async function observe(client, seconds) {
  const outcomes = await repeat(seconds, PAUSE_MS, () => client.get(client.organization));
  const all = outcomes.map((outcome) => outcome.seconds);
  return {
    count: outcomes.length,
    median: percentile(all, 0.5),
    failed: outcomes.filter(({ status }) => status !== 200).map(({ status, error }) => error ?? String(status)),
  };
}

function milliseconds(seconds) {
  return `${(seconds * 1000).toFixed(1)} ms`;
}

/** Inserts copies of the last Organization, as of last year. */
export async function fillOrganizations(uri, count) {
  const fieldsOf = (number) => {
    const text = `filler-no-${number}`;
    const slugs = [{ text, base: text, index: 0 }];
    return { name: `Filler no ${number}`, nameKey: `filler no ${number}`, updatedAt: new Date('2025-11-27'), slugs };
  };
  await withDb(uri, (db) => addCopies(db, 'organizations', { first: 1, last: count }, fieldsOf));
}
