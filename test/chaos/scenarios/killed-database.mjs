import { startService, until } from '../lib/programs.mjs';
import { MixedLoad, Records } from '../lib/records.mjs';

export const title = 'The database is killed (kill -9) while clients write';

const KILLS = 20;

export async function run({ report, times }) {
  const { database, service } = await startService();
  const records = new Records();
  const load = new MixedLoad(await service.admin(), records, 'k');
  const kills = times(KILLS);
  let slowest = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    await records.untilKill();
    await database.kill();
    await database.restart();
    const before = records.acknowledged;
    slowest = Math.max(slowest, await until(() => records.acknowledged > before, 'a write after the kill'));
  }
  await load.stop();
  await records.report(report, service, `in ${kills} kills`);
  report.atMost('writes without a response', records.unanswered, 0);
  report.atMost('the slowest first write once the database was back', slowest, 3, 's');
}
