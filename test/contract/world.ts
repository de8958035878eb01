import { createApi } from '../apis/api-records';
import { keysOf, withKey } from '../api-keys/keys';
import { uploaded } from '../files/uploads';
import type { Client, ClientRequest } from '../support/client';
import { createOrganization, idsOf as idsOfRecords } from '../support/records';
import type { Service } from '../support/service';
import { declaredOperations, type Operation } from './operations';

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
    // A User has at most 20 Files and 20 API keys.
    files: idsOfRecords(await admin.get(`/files?createdBy=${admin.id}`))[0] ?? (await uploaded(admin))._id,
    'api-keys': idsOfRecords(await admin.get(keysOf(admin)))[0] ?? (await withKey(admin)).key._id,
  };
  assertComplete(ids);
  return { caller: admin, stranger, ids };
}

/** @throws Error for a path that no record has an id for */
function assertComplete(ids: World['ids']): void {
  for (const { path } of declaredOperations()) {
    const resource = firstWordOf(path);
    if (path.includes(':id') && !ids[resource])
      throw new Error(`${path} needs a record: add a line "${resource}: …" to createWorld in test/contract/world.ts.`);
  }
}

const firstWordOf = (path: string): string => path.split('/')[1] ?? '';

/** The ids that an operation's path takes in this world, by parameter. */
function idsOf({ path }: Operation, { caller, ids }: World): Record<string, string> {
  return { id: ids[firstWordOf(path)] ?? '', managerId: caller.id, keyId: ids['api-keys'] ?? '' };
}

/** The request of an operation that passes every check up to its body, which is empty content. */
export function requestOf(operation: Operation, world: World): ClientRequest {
  const ids = idsOf(operation, world);
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? '');
  return { method: operation.method, path, headers: { authorization: `Bearer ${world.caller.token}` } };
}
