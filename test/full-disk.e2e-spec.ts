import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Organization } from '../src/organizations/organization.schema';
import { cleanUp } from './chaos/lib/cleanup.mjs';
import { SmallDisk } from './chaos/lib/small-disk.mjs';
import { organizationBody } from './support/records';
import { OwnDatabase } from './support/own-database';
import { ApiResponse, Service, startService } from './support/service';
import { until } from './support/until';

/** Some commit at the moment in which the storage engine fails. */
const WRITERS = 4;

/** A disk for the database alone; only root can make one. */
const disk = mount();

function mount(): SmallDisk | undefined {
  try {
    return new SmallDisk(320);
  } catch {
    return undefined;
  }
}

(disk ? describe : describe.skip)('a full disk of the database', () => {
  let database: OwnDatabase;
  let service: Service;
  const acknowledged: string[] = [];

  beforeAll(async () => {
    database = await OwnDatabase.start({ syncOnCommit: true, dataDir: disk!.folder });
    // A storage engine without room fails in many ways: the log names an error that is not 1901.
    service = await startService({ MONGODB_URI: database.uri(), LOG_LEVEL: 'error' });
  });
  afterAll(async () => {
    await service.stop();
    await database.stop();
    await cleanUp();
  });

  /** Creates Organizations until one is refused. */
  async function createUntilRefused(): Promise<ApiResponse> {
    for (;;) {
      const response = await service.admin.post('/organizations', organizationBody());
      if (response.status !== 201) return response;
      acknowledged.push(response.body.data._id as string);
    }
  }

  /** Fills the disk, and what the database has reserved of it, until no write succeeds. */
  async function fill(): Promise<void> {
    const other = service.connection.collection('other');
    await other.insertOne({ data: 'A new collection needs room on the disk.' });
    const refused = Array.from({ length: WRITERS }, createUntilRefused);
    const isOver = Promise.all(refused).then(() => true);
    do {
      disk!.fill();
      await other.insertOne({ data: randomBytes(2 ** 20) }).catch(() => undefined);
    } while (!(await Promise.race([isOver, setImmediate(false)])));
    for (const response of refused) expect(await response).toMatchObject({ status: 503, body: { code: 1901 } });
  }

  const readiness = async (): Promise<number> => (await service.nobody.get('/health/ready')).status;

  it('is 503 with 1901 for writes and not ready, loses nothing, and is over when there is room again', async () => {
    await fill();
    await until(async () => (await readiness()) === 503);
    expect((await service.admin.post('/organizations', organizationBody())).body.code).toBe(1901);
    disk!.empty();
    await until(async () => (await readiness()) === 200);
    expect((await service.admin.post('/organizations', organizationBody())).status).toBe(201);
    const stored = await service.model<Organization>('Organization').find({}, { _id: 1 }).lean();
    const ids = new Set(stored.map(({ _id }) => String(_id)));
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  }, 120_000);
});
