import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Organization } from '../src/organizations/organization.schema';
import { organizationBody } from './support/records';
import { OwnDatabase } from './support/own-database';
import { testFolder } from './support/run-folder';
import { ApiResponse, Service, startService } from './support/service';

/** A disk for the database alone; only root can make one. */
const disk = testFolder();
const filler = join(disk, 'filler');
const isMounted = mount();

function mount(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=320m', 'tmpfs', disk], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Fills the disk to the last block, also with what the database has given back. */
function fill(): void {
  const file = openSync(filler, 'a');
  const block = Buffer.alloc(2 ** 16);
  try {
    for (;;) writeSync(file, block);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  } finally {
    closeSync(file);
  }
}

(isMounted ? describe : describe.skip)('a full disk of the database', () => {
  let database: OwnDatabase;
  let service: Service;
  const acknowledged: string[] = [];

  beforeAll(async () => {
    database = await OwnDatabase.start({ syncOnCommit: true, dataDir: disk });
    service = await startService({ MONGODB_URI: database.uri() });
  });
  afterAll(async () => {
    await service.stop();
    await database.stop();
    execFileSync('umount', [disk]);
  });

  /** Creates Organizations until one is refused; other records use up what the database has reserved. */
  async function createUntilRefused(): Promise<ApiResponse> {
    const other = service.connection.collection('other');
    await other.insertOne({ data: 'A new collection needs room on the disk.' });
    for (;;) {
      const response = await service.admin.post('/organizations', organizationBody());
      if (response.status !== 201) return response;
      acknowledged.push(response.body.data._id as string);
      fill();
      await other.insertOne({ data: randomBytes(2 ** 20) }).catch(() => undefined);
    }
  }

  const readiness = async (): Promise<number> => (await service.nobody.get('/health/ready')).status;

  it('is 503 with 1901 for writes and not ready, loses nothing, and is over when there is room again', async () => {
    expect(await createUntilRefused()).toMatchObject({ status: 503, body: { code: 1901 } });
    while ((await readiness()) !== 503) await setImmediate();
    expect((await service.admin.post('/organizations', organizationBody())).body.code).toBe(1901);
    rmSync(filler);
    while ((await readiness()) !== 200) await setImmediate();
    expect((await service.admin.post('/organizations', organizationBody())).status).toBe(201);
    const stored = await service.model<Organization>('Organization').find({}, { _id: 1 }).lean();
    const ids = new Set(stored.map(({ _id }) => String(_id)));
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  }, 120_000);
});
