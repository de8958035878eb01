import { Database } from '../lib/database.mjs';
import { fillOrganizations } from '../lib/fill.mjs';
import { createPeople, withstand } from '../lib/flood.mjs';
import { Service } from '../lib/service.mjs';

export const title = 'One account searches 100,000 records on 60 connections';

const CONNECTIONS = 60;
const RECORDS = 100_000;

/** @param {import('../lib/context.mjs').Context} context */
export async function run(context) {
  const database = await Database.start();
  const service = await Service.start(database.uri);
  const [other, { token }] = await createPeople(service, ['other', 'attacker']);
  await fillOrganizations(database.uri, other.organization, context.times(RECORDS));
  await withstand(context, { service, other, attacker: 'searches', orders: { connections: CONNECTIONS, token } });
}
