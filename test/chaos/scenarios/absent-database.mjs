import { ADMIN, repeat, startService, until } from '../lib/programs.mjs';

export const title = 'The database hangs (SIGSTOP) or is gone, while the service runs and when it starts';

/** Length of each outage, and the interval of the requests (s). */
const OUTAGE_S = 15;
const INTERVAL_S = 0.5;
/** Goals (s): a response while it hangs, while it is gone, the end after SIGTERM, and the first success afterwards. */
const HUNG_S = 10;
const GONE_S = 3;
const STOP_S = 10;
const BACK_S = 3;

export async function run({ report, times }) {
  const { database, service } = await startService();
  // Its token is still good after a restart.
  const client = await service.admin();
  const outage = async (when, limit) => {
    const outcomes = await probe(client, times(OUTAGE_S));
    const slowest = Math.max(...outcomes.map(({ seconds }) => seconds));
    report.atMost(`database ${when}: slowest response`, slowest, limit, 's');
    const others = outcomes.filter(({ status }) => status !== 503);
    const lines = others.map(({ what, error, status }) => `${what}: ${error ?? status}`);
    report.none(`database ${when}: responses other than 503`, lines);
  };
  const outages = [
    ['gone', GONE_S, () => database.kill(), () => database.restart()],
    ['hung', HUNG_S, () => database.signal('SIGSTOP'), () => database.signal('SIGCONT')],
  ];
  for (const [when, limit, end, begin] of outages) {
    await end();
    await outage(when, limit);
    await begin();
    report.atMost(`database ${when}: works again after`, await service.untilBack(client), BACK_S, 's');
  }
  for (const [when, limit, end, begin] of outages) {
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
  report.atMost('database hung: SIGTERM ends the service after', (performance.now() - started) / 1000, STOP_S, 's');
}

/** Sends requests of every kind again and again, without waiting for their responses, and returns these. */
async function probe(client, seconds) {
  const body = { name: 'While away', url: 'https://roster.example' };
  const requests = [
    ['GET', '/organizations'],
    ['GET', `/users/${client.user._id}`],
    ['GET', '/apis?q=nets'],
    ['POST', '/organizations', body],
    ['PUT', `/users/${client.user._id}`, { ...client.user, companyName: body.name }],
    ['POST', '/sessions', ADMIN],
  ];
  const send = async ([method, path, content]) => ({
    what: `${method} ${path}`,
    ...(await client.send(method, path, content)),
  });
  return Promise.all((await repeat(seconds, INTERVAL_S * 1000, () => requests.map(send))).flat());
}
