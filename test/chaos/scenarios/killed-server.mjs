import { startService } from '../lib/programs.mjs';
import { MixedLoad, Records } from '../lib/records.mjs';

export const title = 'The server is killed (kill -9) while clients write';

const KILLS = 50;

export async function run({ report, times }) {
  const { service } = await startService();
  const records = new Records();
  const kills = times(KILLS);
  for (let kill = 0; kill < kills; kill += 1) {
    const load = new MixedLoad(await service.admin(), records, `k${kill}`);
    await records.untilKill();
    await service.stop('SIGKILL');
    await load.stop();
    await service.restart();
  }
  await records.report(report, service, `in ${kills} kills`);
}
