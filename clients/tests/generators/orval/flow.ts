/** The flow of clients/README.md with the client that orval makes (fetch). */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { env } from 'node:process';
import {
  createFile,
  createOrganization,
  createSession,
  deleteFile,
  deleteOrganization,
  type FieldError,
  getOrganization,
  listOrganizations,
  updateOrganization,
} from './roster.ts';

const session = await createSession({ username: 'admin', password: env.ROSTER_PASSWORD! });
assert.equal(session.status, 201);
const headers = { Authorization: `Bearer ${session.data.data.accessToken}` };

const url = 'https://orval.example';
const created = await createOrganization({ name: 'Orval & Sons', url }, { headers });
assert.equal(created.status, 201);
const id = created.data.data._id;
const list = await listOrganizations({ q: 'orval & s' }, { headers });
assert.equal(list.status, 200);
assert.deepEqual(
  list.data.data.map(({ _id }) => _id),
  [id],
);

const read = await getOrganization(id, { headers });
assert.equal(read.status, 200);
const etag = read.headers.get('ETag')!;
assert.equal((await getOrganization(id, { headers: { ...headers, 'If-None-Match': etag } })).status, 304);

const body = { ...read.data, description: 'We make nets.' };
const conditional = { headers: { ...headers, 'If-Match': etag } };
const updated = await updateOrganization(id, body, conditional);
assert.equal(updated.status, 200);
assert.deepEqual([updated.data.data.description, updated.data.data.managerIds.length], ['We make nets.', 1]);
const changed = await updateOrganization(id, body, conditional);
assert.equal(changed.status, 412);
assert.equal(changed.data.code, 1600);

const invalid = await createOrganization({ name: ' ', url }, { headers });
assert.equal(invalid.status, 400);
const [field] = invalid.data.message as FieldError[];
assert.deepEqual([invalid.data.code, field?.code, field?.title], [1024, 5622, 'name']);

const uploaded = await createFile({ file: new File([readFileSync(env.ROSTER_IMAGE!)], 'logo.png') }, { headers });
assert.equal(uploaded.status, 201);
assert.equal(uploaded.data.data.contentType, 'image/png');
assert.equal((await deleteFile(uploaded.data.data._id, { headers })).status, 204);
assert.equal((await deleteOrganization(id, { headers })).status, 204);
