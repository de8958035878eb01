import type { OrganizationDto } from '../../src/registry/organizations/organization.dto';
import { Client } from '../support/client';
import { createOrganization } from '../support/records';
import { Service, startService } from '../support/service';
import { RawClient } from '../platform/http/raw-client';

/** A request whose body does not end. */
const HEAD = 'POST /sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
const HALF = `${HEAD}Content-Length: 9\r\n\r\nhalf`;

/** What the rows of the tables send their requests in. */
export interface World {
  readonly service: Service;
  /** A Manager of `organization`, and nothing else. */
  readonly manager: Client;
  readonly stranger: Client;
  readonly organization: OrganizationDto;
  /** The port of `service`. */
  readonly port: number;
  /** A request that began when the world did and never ends. */
  readonly endless: RawClient;
}

export async function createWorld(): Promise<World> {
  const service = await startService();
  const port = Number(new URL(await service.url()).port);
  // Not ten seconds (src/platform/http/edge/edge.spec.ts).
  Object.assign(service.app.getHttpServer(), { headersTimeout: 1000, requestTimeout: 1000 });
  const endless = new RawClient(port).send(HALF);
  const [manager, stranger] = [await service.account(), await service.account()];
  return { service, manager, stranger, organization: await createOrganization(manager), port, endless };
}

/** Runs `use` with another service, which is stopped afterwards. */
export async function withService<T>(env: Record<string, string>, use: (other: Service) => Promise<T>): Promise<T> {
  const other = await startService(env);
  try {
    return await use(other);
  } finally {
    await other.stop();
  }
}
