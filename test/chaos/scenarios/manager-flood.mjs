import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../../support/http-client.mjs';
import { createOrganization, createUsers, startAttacker } from '../lib/flood.mjs';
import { Service, startService, until } from '../lib/programs.mjs';

export const title = 'One account adds and removes a User as Manager of 20 Organizations, without end';

const ORGANIZATIONS = 20;
const CONNECTIONS = [6, 100];
/** Users that are attacked, one after another, with each number of connections and at each instance. */
const VICTIMS = 5;
/** Head start of the attack (ms): the attacker stays within its request limit until the victim is deleted. */
const RAMP_MS = 1000;
const SETTINGS = { RATE_LIMIT_PER_MINUTE: '3000' };
/** Goal for each write of the victim and of the Admin (s). */
const WITHIN_S = 1;

export async function run({ report, times }) {
  const { database, service } = await startService(SETTINGS);
  const other = await Service.start(database.uri, SETTINGS);
  for (const connections of CONNECTIONS) {
    for (const [place, honest] of Object.entries({ 'the same instance': service, 'another instance': other })) {
      const outcomes = [];
      for (let number = 0; number < times(VICTIMS); number += 1) {
        outcomes.push(...(await attackOne(report, service, honest, connections)));
      }
      const name = `${connections} connections, ${place}`;
      const failed = outcomes.filter(({ status }) => status >= 300 || status === 0);
      for (const { what, status, body, error } of failed) report.note(`${what}: ${error ?? body?.code ?? status}`);
      report.atMost(`${name}: failed of ${outcomes.length} writes of the victim and the Admin`, failed.length, 0);
      const slowest = Math.max(...outcomes.map(({ seconds }) => seconds));
      report.atMost(`${name}: the slowest of them`, slowest, WITHIN_S, 's');
    }
  }
}

let people = 0;

/** Attacks one User by a new account. The User changes their record, then an Admin suspends and deletes them. */
async function attackOne(report, service, honest, connections) {
  people += 1;
  const usernames = [`attacker-${people}`, `victim-${people}`];
  const [attacker, { user, token }] = await createUsers(service, usernames);
  const organizations = [];
  for (let number = 0; number < ORGANIZATIONS; number += 1) {
    organizations.push((await createOrganization(attacker, `${attacker.user.username} ${number}`))._id);
  }
  const [address, userId] = [`127.1.0.${people}`, user._id];
  const orders = { base: service.base, token: attacker.token, address, organizations, userId, connections };
  const flood = startAttacker('managers', orders, 0);
  const admin = await honest.admin();
  const managed = `/organizations?managerId=${userId}`;
  await until(async () => (await admin.get(managed)).body.data.length > 0, 'the attack begins');
  await sleep(RAMP_MS);
  const path = `/users/${userId}`;
  const victim = new Client(honest.base, { token });
  const outcomes = [
    { what: 'PUT of the victim', ...(await victim.send('PUT', path, { ...user, companyName: 'Changed' })) },
    { what: 'suspension', ...(await admin.send('PUT', path, { ...user, isSuspended: true })) },
    { what: 'deletion', ...(await admin.send('DELETE', path)) },
  ];
  await flood.stop();
  report.note(
    `The flood got ${flood.output.trim()}; the writes took ${outcomes.map(({ seconds }) => seconds.toFixed(2)).join(', ')} s`,
  );
  return outcomes;
}
