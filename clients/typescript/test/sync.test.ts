import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { RosterClient } from '@roster/client';
import { Sync } from '../examples/sync.ts';
import { errorOf, failure, Stub, success } from './stub.ts';

const stub = new Stub();
const EXAMPLES = join(import.meta.dirname, '../examples');

describe('the example sync.ts', () => {
  it('gives up on a record that others change again and again', async () => {
    stub.respond = ({ method, path }) => {
      if (method === 'PUT') return failure(412, 1600);
      const record = { _id: 'a', name: 'Nets', url: 'https://old.example' };
      return path?.includes('?') ? success([record]) : { headers: { ETag: '"4"' }, body: record };
    };
    const wanted = { name: 'Nets', url: 'https://nets.example', description: '', apis: [] };
    assert.equal((await errorOf(new Sync(new RosterClient(stub)).run([wanted]))).code, 1600);
    assert.equal(stub.requests.filter((request) => request.startsWith('PUT')).length, 5);
  });

  it('logs in as ROSTER_USERNAME: some systems set USERNAME', async () => {
    stub.respond = () => failure(401, 1103);
    const account = { ROSTER_USERNAME: 'ada', ROSTER_PASSWORD: 'a long-winded passphrase' };
    const env = { ...process.env, ROSTER: stub.baseUrl, USERNAME: 'root', PASSWORD: '', ...account };
    await assert.rejects(promisify(execFile)(process.execPath, ['sync.ts'], { cwd: EXAMPLES, env }));
    const credentials = { username: 'ada', password: 'a long-winded passphrase' };
    assert.deepEqual(JSON.parse(stub.received[0]!.body), credentials);
  });
});
