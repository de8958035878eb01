import type { Client, ClientRequest } from '../support/client';
import { createOrganization } from '../support/records';
import type { Service } from '../support/service';
import type { Operation } from './operations';

/** Records for every path, a caller who may do everything with them, and one who may not. */
export interface World {
  /** Manages the Organization and owns the rest; for operations that ask for it, an Admin. */
  readonly caller: Client;
  /** An account that is neither. */
  readonly stranger: Client;
  readonly organizationId: string;
  readonly apiId: string;
  readonly fileId: string;
}

/** A PNG of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const BOUNDARY = 'a-boundary-of-the-tests';

/** The media type of `form`. */
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A form with one file in it (RFC 7578). */
export function form(bytes: Buffer, name = 'file'): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="a.png"\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

/** A world in a service; the caller is an Admin, whose right covers every operation. */
export async function createWorld(service: Service): Promise<World> {
  const { admin } = service;
  const stranger = await service.account();
  const { _id: organizationId } = await createOrganization(admin);
  const api = await admin.post(`/organizations/${organizationId}/apis`, { name: 'Nets', url: 'https://nets.example' });
  const file = await admin.post('/files', form(PIXEL), { 'content-type': FORM_TYPE });
  if (api.status !== 201 || file.status !== 201) throw new Error(`No world: ${api.text} ${file.text}`);
  return { caller: admin, stranger, organizationId, apiId: api.body.data._id, fileId: file.body.data._id };
}

/** The ids that an operation's path takes in this world, by parameter. */
function idsOf({ path }: Operation, world: World): Record<string, string> {
  const byResource: Record<string, string> = {
    users: world.caller.id,
    sessions: world.caller.session._id,
    organizations: world.organizationId,
    apis: world.apiId,
    files: world.fileId,
  };
  return { id: byResource[path.split('/')[1] ?? ''] ?? '', managerId: world.caller.id };
}

/** The request of an operation that passes every check up to its body, which is empty content. */
export function requestOf(operation: Operation, world: World): ClientRequest {
  const ids = idsOf(operation, world);
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? '');
  return { method: operation.method, path, headers: { authorization: `Bearer ${world.caller.token}` } };
}
