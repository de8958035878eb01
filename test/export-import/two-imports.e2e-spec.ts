import { execFileSync } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Types } from 'mongoose';
import { createWorld } from '../check-data/breaks';
import { databaseUri } from '../support/database';
import { Paper } from '../support/paper';
import { testFolder } from '../support/run-folder';
import { useService } from '../support/service';
import { documentsIn, exported, imported, onDatabase } from './files';

const target = databaseUri('import-two');

const service = useService();
let file: string;
beforeAll(async () => {
  await createWorld(service);
  file = await exported(service);
});
afterEach(() => onDatabase(target, (connection) => connection.dropDatabase()));

it('an import that was paused while another one finished removes nothing, and says why', async () => {
  const pipe = join(testFolder(), 'pipe.jsonl');
  execFileSync('mkfifo', [pipe]);
  let wrote = (): void => undefined;
  const hasRecords = new Promise<void>((resolve) => (wrote = resolve));
  const progress = new Paper(true, (text) => void (/Records [1-9]/.test(text) && wrote()));
  const paused = imported(service, target, pipe, { output: { report: new Paper(), progress } }).catch(String);
  const lines = readFileSync(file, 'utf8').split('\n');
  // It has the Users only when it sees a line of something else.
  const others = lines.findIndex((line, index) => index > 0 && !line.startsWith('{"collection":"users"')) + 1;
  const input = createWriteStream(pipe);
  input.write(`${lines.slice(0, others).join('\n')}\n`);
  await hasRecords;

  // As after ten seconds: its lock has expired.
  await onDatabase(target, (connection) => connection.collection('locks').deleteMany());
  await imported(service, target, file);
  const after = await documentsIn(target);
  input.end(lines.slice(others).join('\n'));
  expect(await paused).toMatch(/^StartError: Another import has begun, .* This one ends and removes nothing\.$/);
  expect(await documentsIn(target)).toEqual(after);
});

it('an import is rejected while another one is running, and changes nothing', async () => {
  await onDatabase(target, async (connection) => {
    const until = new Date('9999-12-31');
    await connection.collection('locks').insertOne({ _id: 'import' as never, owner: new Types.ObjectId(), until });
    const message = 'Another import into this database is running. Wait for it; if it was killed, try again in ten';
    await expect(imported(service, target, file)).rejects.toThrow(message);
    expect(await documentsIn(target)).toEqual({});
  });
});
