/** The flow of clients/README.md with the client that OpenAPI Generator makes for TypeScript (fetch). */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { env } from 'node:process';
import {
  BadRequestFromJSON,
  Configuration,
  ErrorResponseFromJSON,
  type FieldError,
  FieldErrorFromJSON,
  FilesApi,
  OrganizationsApi,
  ResponseError,
  SessionsApi,
} from './roster/index.ts';

const basePath = env.ROSTER!;
const loginInput = { username: 'admin', password: env.ROSTER_PASSWORD! };
const { data: session } = await new SessionsApi(new Configuration({ basePath })).createSession({ loginInput });
const configuration = new Configuration({ basePath, accessToken: session.accessToken });
const [organizations, files] = [new OrganizationsApi(configuration), new FilesApi(configuration)];

/** The response of a call that fails. */
async function refused(call: Promise<unknown>): Promise<Response> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ResponseError);
  return error.response;
}

const url = 'https://typescript.example';
const { data: created } = await organizations.createOrganization({
  organizationInput: { name: 'TypeScript & Sons', url },
});
const list = await organizations.listOrganizations({ q: 'typescript & s' });
assert.deepEqual(
  list.data.map(({ id }) => id),
  [created.id],
);

const raw = await organizations.getOrganizationRaw({ id: created.id });
const [read, ifMatch] = [await raw.value(), raw.raw.headers.get('ETag')!];
assert.equal((await refused(organizations.getOrganization({ id: read.id, ifNoneMatch: ifMatch }))).status, 304);

const organizationInput = { ...read, description: 'We make nets.' };
const { data: updated } = await organizations.updateOrganization({ id: read.id, organizationInput, ifMatch });
assert.deepEqual([updated.description, updated.managerIds.length], ['We make nets.', 1]);
const changed = await refused(organizations.updateOrganization({ id: read.id, organizationInput, ifMatch }));
assert.deepEqual([changed.status, ErrorResponseFromJSON(await changed.json()).code], [412, 1600]);

const response = await refused(organizations.createOrganization({ organizationInput: { name: ' ', url } }));
const invalid = BadRequestFromJSON(await response.json());
const [field]: FieldError[] = invalid.message.map(FieldErrorFromJSON);
assert.deepEqual([invalid.code, field?.code, field?.title], [1024, 5622, 'name']);

const file = new File([readFileSync(env.ROSTER_IMAGE!)], 'logo.png');
const { data: uploaded } = await files.createFile({ file });
assert.equal(uploaded.contentType, 'image/png');
await files.deleteFile({ id: uploaded.id });
await organizations.deleteOrganization({ id: read.id });
