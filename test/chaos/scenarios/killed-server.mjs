import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../lib/database.mjs';
import { MixedLoad } from '../lib/mixed-load.mjs';
import { until } from '../lib/processes.mjs';
import { Records } from '../lib/records.mjs';
import { Service } from '../lib/service.mjs';
import { reportRecords } from '../lib/report-records.mjs';

export const title = 'The server is killed (kill -9) while clients write';

const KILLS = 50;
/** Writes that each round acknowledges at least before the kill. */
const ENOUGH = 30;
/** The kill comes at a random moment within this time after that (ms). */
const WITHIN_MS = 200;

/** @param {import('../lib/context.mjs').Context} context */
export async function run({ report, times }) {
  const database = await Database.start();
  const service = await Service.start(database.uri);
  const records = new Records();
  const kills = times(KILLS);
  for (let kill = 0; kill < kills; kill += 1) {
    const load = new MixedLoad(await service.admin(), records, `k${kill}`);
    const enough = records.acknowledged + ENOUGH;
    await until(() => records.acknowledged >= enough, `${ENOUGH} writes`);
    await sleep(Math.random() * WITHIN_MS);
    await service.kill();
    await load.stop();
    await service.restart();
  }
  await reportRecords(report, records, service, `in ${kills} kills`);
}
