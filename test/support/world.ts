import type { Client, ClientRequest } from './client';
import type { Operation } from './operations';
import { operations } from './scenes';
import type { Service } from './service';
import { Stage } from './stage';

/** Records for every path, a caller who may do everything with them, and one who may not. */
export interface World {
  readonly stage: Stage;
  /** An Admin. */
  readonly caller: Client;
  /** An account without rights. */
  readonly stranger: Client;
  /** The paths of the operations, with the ids of the records. */
  readonly paths: ReadonlyMap<string, string>;
}

/** A world in a service, with the records that these operations name. */
export async function createWorld(service: Service, needed: readonly Operation[] = operations): Promise<World> {
  const stage = await Stage.of(service);
  const paths = new Map<string, string>();
  for (const { path } of needed) paths.set(path, await stage.path(path));
  return { stage, caller: service.admin, stranger: await service.account(), paths };
}

/** The request of an operation that passes every check up to its body, which is empty content. */
export function requestOf({ method, path }: Operation, { caller, paths }: World): ClientRequest {
  return { method, path: paths.get(path)!, headers: { authorization: `Bearer ${caller.token}` } };
}
