import { createPeople, withstand, fillOrganizations } from '../lib/flood.mjs';
import { startService } from '../lib/programs.mjs';

export const title = 'One account searches and counts on 60 connections';

const CONNECTIONS = 60;
/** By the way of a search: with an index, and by a read of all records. */
const FLOODS = [
  { records: 100_000, orders: {} },
  { records: 10_000, orders: { query: 'q=filler&skip=', headers: { prefer: 'count=exact' } } },
];
const DATABASE_MIB = 1024;

export async function run(context) {
  for (const { records, orders } of FLOODS) {
    const { database, service } = await startService();
    const [other, { token }] = await createPeople(service, ['other', 'attacker']);
    await fillOrganizations(database.uri, context.times(records));
    const order = { connections: CONNECTIONS, token, ...orders };
    await withstand(context, { service, other, attacker: 'searches', orders: order });
    context.report.atMost('the most memory of the database (RSS)', database.peakRss, DATABASE_MIB, 'MiB');
    await service.stop();
  }
}
