import { probe, untilBack } from '../lib/probes.mjs';
import { secondsSince, until } from '../lib/processes.mjs';
import { startService } from '../lib/service.mjs';

export const title = 'The database hangs (SIGSTOP) or is gone, while the service runs and when it starts';

/** Length of each outage (s). */
const OUTAGE_S = 15;
/** Goals (s): a response while it hangs, while it is down, the end after SIGTERM, and the first success afterwards. */
const HUNG_S = 10;
const GONE_S = 3;
const STOP_S = 10;
const BACK_S = 3;

/** @param {import('../lib/report.mjs').Context} context */
export async function run({ report, times }) {
  const { database, service } = await startService();
  // Its token is still good after a restart.
  const client = await service.admin();
  const outage = async (when, limit) => {
    const { slowest, others } = await probe(client, times(OUTAGE_S));
    report.atMost(`database ${when}: slowest response`, slowest, limit, 's');
    report.atMost(`database ${when}: responses other than 503`, others.length, 0);
    for (const line of new Set(others)) report.note(line);
  };
  const isBack = async (when) => report.atMost(`${when}: works again after`, await untilBack(client), BACK_S, 's');

  database.signal('SIGSTOP');
  await outage('hung', HUNG_S);
  database.signal('SIGCONT');
  await isBack('database hung');

  await database.kill();
  await outage('gone', GONE_S);
  await database.restart();
  await isBack('database gone');

  for (const [when, limit, end, begin] of [
    ['gone', GONE_S, () => database.kill(), () => database.restart()],
    ['hung', HUNG_S, () => database.signal('SIGSTOP'), () => database.signal('SIGCONT')],
  ]) {
    await service.stop();
    await end();
    service.launch();
    await until(async () => (await service.readiness()) === 503, 'the service listens');
    await outage(`${when} since before the start`, limit);
    await begin();
    report.atMost(`database ${when} at the start: ready after`, await service.untilReady(), BACK_S, 's');
  }

  database.signal('SIGSTOP');
  void client.get('/organizations');
  const started = performance.now();
  await service.stop();
  report.atMost('database hung: SIGTERM ends the service after', secondsSince(started), STOP_S, 's');
}
