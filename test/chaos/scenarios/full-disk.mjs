import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { filePart, form, FORM_TYPE, png } from '../../support/uploads.mjs';
import { atEnd } from '../lib/cleanup.mjs';
import { repeat, startService, temporaryFolder, until } from '../lib/programs.mjs';
import { MixedLoad, Records } from '../lib/records.mjs';

export const title = "The database's disk is full";

const DISK_MIB = 256;
/** How often the disk fills up: what is lost is committed in the moment in which the storage engine fails. */
const ROUNDS = 10;
/** Writes that are acknowledged before. */
const ENOUGH = 50;
/** Time for which clients write to the full disk (s). */
const FULL_S = 2;
/** Goals (s): until readiness shows it, and until everything works once there is room. */
const NOTICED_S = 3;
const BACK_S = 3;

export async function run({ report, times }) {
  const disk = mountDisk();
  const { database, service } = await startService({}, disk);
  const client = await service.admin();
  const records = new Records();
  const count = times(ROUNDS);
  const rounds = [];
  while (rounds.length < count) {
    const load = new MixedLoad(client, records, `round-${rounds.length}`);
    await records.more(ENOUGH);
    const full = await fill(disk, client, records, service);
    await load.stop();
    rounds.push({ ...full, back: await makeRoom(disk, client, { database, service }) });
  }

  const others = rounds.flatMap((round) => round.others);
  const slowest = (name) => Math.max(...rounds.map((round) => round[name]));
  report.atMost('readiness is 503 after', slowest('noticed'), NOTICED_S, 's');
  report.none('writes that got another response than 503', others);
  report.atMost('once there was room and the database ran: works again after', slowest('back'), BACK_S, 's');
  await records.report(report, service, `in ${count} rounds of a full disk`);
}

/** @returns {string} the folder of a small file system in memory. Needs root. */
function mountDisk() {
  const folder = temporaryFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m,mode=0700`, 'roster-chaos', folder]);
  atEnd(() => execFileSync('umount', [folder]));
  return folder;
}

/** Writes until there is no room. */
async function fill(disk, client, records, service) {
  spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'filler')}`, 'bs=64k']);
  await until(async () => !(await useSpace(client, records)), 'the disk is full');
  const isNoticed = until(async () => (await service.readiness()) === 503, 'readiness is 503', 30_000);
  const noticed = await isNoticed.catch(() => Infinity);
  return { noticed, others: await write(client, FULL_S) };
}

/** Restarts the database if it has ended. @returns {Promise<number>} how long it takes until everything works (s) */
async function makeRoom(disk, client, { database, service }) {
  rmSync(join(disk, 'filler'));
  const isBack = service.untilBack(client).catch(() => Infinity);
  const back = await Promise.race([isBack, sleep(BACK_S * 1000)]);
  if (back !== undefined) return back;
  await database.kill();
  await database.restart();
  return service.untilBack(client);
}

/** Writes 1 MB, and deletes it again: the database's log grows. */
async function useSpace(client, records) {
  const body = form(filePart(png(1, 1, 1_000_000)));
  const file = await records.create(client, '/files', '/files', body, FORM_TYPE);
  return file && records.write({ [file]: null }, () => client.send('DELETE', file));
}

/** @returns {Promise<string[]>} the responses that were not 503 */
async function write(client, seconds) {
  const url = 'https://roster.example';
  const post = () => client.send('POST', '/organizations', { name: `Full ${performance.now()}`, url });
  return (await repeat(seconds, 100, post))
    .filter(({ status }) => status !== 503)
    .map(({ status, error, body }) => `POST /organizations: ${error ?? `${status} ${body?.code ?? ''}`}`);
}
