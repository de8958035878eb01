import { Client } from '../../support/http-client.mjs';
import { prepareProbes, probe, untilBack } from '../lib/probes.mjs';
import { secondsSince, until } from '../lib/processes.mjs';
import { startService } from '../lib/service.mjs';

export const title = 'The database hangs (SIGSTOP) or is gone, while the service runs and when it starts';

/** Length of each outage (s). */
const OUTAGE_S = 15;
/** Goals (s): a response while it hangs, while it is gone, the end after SIGTERM, and the first success afterwards. */
const HUNG_S = 10;
const GONE_S = 3;
const STOP_S = 10;
const BACK_S = 3;

/** @param {import('../lib/report.mjs').Context} context */
export async function run({ report, times }) {
  const { database, service } = await startService();
  const client = await service.admin();
  await prepareProbes(client);
  const outage = { report, database, seconds: times(OUTAGE_S) };

  await hang('hung', outage, client);

  await database.kill();
  await probeAndReport('gone', outage, client, GONE_S);
  await database.restart();
  report.atMost('database gone: works again after', await untilBack(client), BACK_S, 's');

  await service.stop();
  await database.kill();
  service.launch();
  const early = await untilListening(service, client);
  await probeAndReport('gone since before the start', outage, early, GONE_S);
  await database.restart();
  report.atMost('database came after the service: ready after', await service.untilReady(), BACK_S, 's');
  await hang('hung, after it was gone at the start', outage, early);

  await service.stop();
  database.signal('SIGSTOP');
  service.launch();
  const earlier = await untilListening(service, client);
  await probeAndReport('hung since before the start', outage, earlier, HUNG_S);
  database.signal('SIGCONT');
  report.atMost('database hung at the start: ready after', await service.untilReady(), BACK_S, 's');

  database.signal('SIGSTOP');
  void earlier.get('/organizations');
  const started = performance.now();
  await service.stop();
  report.atMost('database hung: SIGTERM ends the service after', secondsSince(started), STOP_S, 's');
}

async function hang(when, outage, client) {
  outage.database.signal('SIGSTOP');
  await probeAndReport(when, outage, client, HUNG_S);
  outage.database.signal('SIGCONT');
  outage.report.atMost(`database ${when}: works again after`, await untilBack(client), BACK_S, 's');
}

async function probeAndReport(when, { report, seconds }, client, limit) {
  const { slowest, others } = await probe(client, seconds);
  report.atMost(`database ${when}: slowest response`, slowest.seconds, limit, 's');
  report.atMost(`database ${when}: responses other than 503`, others.length, 0);
  for (const line of new Set([`The slowest was ${slowest.what}`, ...others])) report.note(line);
}

/** @returns {Promise<Client>} the client of an earlier start, whose token is still good */
async function untilListening(service, { token, organizationId }) {
  await until(async () => (await service.readiness()) === 503, 'the service listens');
  return Object.assign(new Client(service.base, { token }), { organizationId });
}
