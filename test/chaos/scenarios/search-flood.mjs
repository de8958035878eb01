import { createPeople, withstand, fillOrganizations } from '../lib/flood.mjs';
import { startService } from '../lib/programs.mjs';

export const title = 'One account searches 100,000 records on 60 connections';

const CONNECTIONS = 60;
const RECORDS = 100_000;

export async function run(context) {
  const { database, service } = await startService();
  const [other, { token }] = await createPeople(service, ['other', 'attacker']);
  await fillOrganizations(database.uri, context.times(RECORDS));
  await withstand(context, { service, other, attacker: 'searches', orders: { connections: CONNECTIONS, token } });
}
