import { setTimeout as sleep } from 'node:timers/promises';
import { form, png } from '../../support/uploads.mjs';
import { MixedLoad } from '../lib/mixed-load.mjs';
import { untilBack } from '../lib/probes.mjs';
import { until } from '../lib/processes.mjs';
import { Records } from '../lib/records.mjs';
import { startService } from '../lib/service.mjs';
import { SmallDisk } from '../lib/small-disk.mjs';

export const title = "The database's disk is full";

const DISK_MIB = 256;
/** Writes that are acknowledged before. */
const ENOUGH = 100;
/** Time for which clients write to the full disk (s). */
const FULL_S = 10;
/** Goals (s): until readiness shows it, and until everything works once there is room. */
const NOTICED_S = 3;
const BACK_S = 3;

/** @param {import('../lib/report.mjs').Context} context */
export async function run({ report, times }) {
  const disk = new SmallDisk(DISK_MIB);
  const { database, service } = await startService({}, disk.folder);
  const client = await service.admin();
  const records = new Records();
  const load = new MixedLoad(client, records, 'before');
  await records.more(ENOUGH);
  await load.stop();

  disk.fill();
  await until(async () => !(await useSpace(client, records)), 'the disk is full');
  const noticed = await until(async () => (await service.readiness()) === 503, 'readiness is 503', 30_000).catch(
    () => Infinity,
  );
  report.atMost('readiness is 503 after', noticed, NOTICED_S, 's');
  const others = await write(client, times(FULL_S));
  report.atMost('writes that got another response than 503', others.length, 0);
  for (const line of new Set(others)) report.note(line);

  disk.empty();
  const back = untilBack(client).catch(() => Infinity);
  const isBack = await Promise.race([back, sleep(BACK_S * 1000)]);
  if (isBack === undefined) await database.kill().then(() => database.restart());
  report.note(`The database ${isBack === undefined ? 'needed a restart' : 'went on by itself'} once there was room.`);
  const seconds = isBack ?? (await untilBack(client));
  report.atMost('once there was room and the database ran: works again after', seconds, BACK_S, 's');
  await records.report(report, service, 'on a full disk');
}

/** Writes 1 MiB, and deletes it again: the database's log grows. */
async function useSpace(client, records) {
  const { body, headers } = await form({ data: png(1, 1, 1_000_000) });
  const file = await records.create(client, '/files', '/files', body, headers);
  return file && records.write({ [file]: null }, () => client.send('DELETE', file));
}

async function write(client, seconds) {
  const others = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(100)) {
    const { status, error, body } = await client.send('POST', '/organizations', {
      name: `Full ${performance.now()}`,
      url: 'https://roster.example',
    });
    if (status !== 503) others.push(`POST /organizations: ${error ?? `${status} ${body?.code ?? ''}`}`);
  }
  return others;
}
