import { createApi } from '../registry/apis/api-records';
import { keysOf, withKey } from '../registry/api-keys/keys';
import { uploaded } from '../registry/files/uploads';
import type { Client, ClientRequest } from '../support/client';
import { createOrganization, idsOf } from '../support/records';
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
    // A User has at most 20 Files and 20 API keys.
    files: idsOf(await admin.get(`/files?createdBy=${admin.id}`))[0] ?? (await uploaded(admin))._id,
    'api-keys': idsOf(await admin.get(keysOf(admin)))[0] ?? (await withKey(admin)).key._id,
  };
  return { caller: admin, stranger, ids };
}

/** The request of an operation that passes every check up to its body, which is empty content. */
export function requestOf({ method, path }: Operation, { caller, ids }: World): ClientRequest {
  const resource = path.split('/')[1]!;
  const own: Partial<Record<string, string>> = { id: ids[resource], managerId: caller.id, keyId: ids['api-keys'] };
  const whole = path.replace(/:(\w+)/g, (_, name: string) => own[name] ?? missing(resource));
  return { method, path: whole, headers: { authorization: `Bearer ${caller.token}` } };
}

function missing(resource: string): never {
  throw new Error(
    `There is no record of "${resource}": add a line to the ids of createWorld in test/contract/world.ts.`,
  );
}
