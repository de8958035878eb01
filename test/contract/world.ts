import { createApi } from '../apis/api-records';
import { keysOf, withKey } from '../api-keys/keys';
import { uploaded } from '../files/uploads';
import type { Client, ClientRequest } from '../support/client';
import { createOrganization, idsOf as idsOfRecords } from '../support/records';
import type { Service } from '../support/service';
import type { Operation } from './operations';

/** Records for every path, a caller who may do everything with them, and one who may not. */
export interface World {
  /** Manages the Organization and owns the rest; for operations that ask for it, an Admin. */
  readonly caller: Client;
  /** An account that is neither. */
  readonly stranger: Client;
  /** The id of a record of each resource, by the first word of its path. */
  readonly ids: Readonly<Record<string, string>>;
}

/** A world in a service; the caller is an Admin, whose right covers every operation. */
export async function createWorld(service: Service): Promise<World> {
  const { admin } = service;
  const stranger = await service.account();
  const { _id: organizationId } = await createOrganization(admin);
  const ids = {
    users: admin.id,
    sessions: admin.session._id,
    organizations: organizationId,
    apis: (await createApi(admin, organizationId))._id,
    files: (await uploaded(admin))._id,
    // A User has at most 20.
    'api-keys': idsOfRecords(await admin.get(keysOf(admin)))[0] ?? (await withKey(admin)).key._id,
  };
  return { caller: admin, stranger, ids };
}

/** The ids that an operation's path takes in this world, by parameter. */
function idsOf({ path }: Operation, { caller, ids }: World): Record<string, string> {
  const id = ids[path.split('/')[1] ?? ''];
  if (path.includes(':id') && !id) throw new Error(`There is no record for ${path}: add it to test/contract/world.ts.`);
  return { id: id ?? '', managerId: caller.id, keyId: ids['api-keys'] ?? '' };
}

/** The request of an operation that passes every check up to its body, which is empty content. */
export function requestOf(operation: Operation, world: World): ClientRequest {
  const ids = idsOf(operation, world);
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? '');
  return { method: operation.method, path, headers: { authorization: `Bearer ${world.caller.token}` } };
}
