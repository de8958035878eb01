import { randomBytes } from 'node:crypto';
import { etagOf } from '../../src/platform/http/responses/etag';
import type { OrganizationDto } from '../../src/registry/organizations/organization.dto';
import type { ApiResponse, Client } from './client';
import type { Shown } from './scene';
import type { Service } from './service';

/** An id of the right form that names nothing. */
export const NOTHING = 'ffffffffffffffffffffffff';

/** A text that no other call returns. */
export const unique = (): string => randomBytes(5).toString('hex');

export const etag = (revision: number): string => etagOf({ revision });

export const ifMatch = (revision: number): { 'if-match': string } => ({ 'if-match': etag(revision) });

/** A new User's fields as POST takes them; the names are made up where none are given. */
export function newUserBody(fields: object = {}): Record<'username' | 'companyName' | 'email' | 'password', string> {
  const username = `user-${unique()}`;
  const names = { username, companyName: 'Nets', email: `${username}@roster.example` };
  return { ...names, password: 'the passphrase of a new User', ...fields };
}

/** An Organization's fields as POST and PUT take them; the name is made up where none is given. */
export function organizationBody(fields: object = {}): Record<string, unknown> {
  return { name: `Organization ${unique()}`, url: 'https://nets.example', ...fields };
}

export async function createOrganization(creator: Client, fields: object = {}): Promise<OrganizationDto> {
  return created(await creator.post('/organizations', organizationBody(fields)));
}

/** Lets a record look as if it was last changed long ago. @returns that time, as responses show it */
export async function backdate(service: Service, model: string, _id: string): Promise<string> {
  const updatedAt = new Date(0);
  await service.model(model).updateOne({ _id }, { $set: { updatedAt } });
  return updatedAt.toISOString();
}

export async function addManager(manager: Client, organizationId: string, userId: string): Promise<void> {
  created(await manager.post(`/organizations/${organizationId}/managers`, { userId }));
}

export async function newManager(service: Service, organizationId: string): Promise<Client> {
  const account = await service.account();
  await addManager(service.admin, organizationId, account.id);
  return account;
}

/**
 * The record in the response to its creation.
 * @param see the file that says how it is created
 */
export function created<T = Shown>(response: ApiResponse, see?: string): T {
  const where = see === undefined ? '' : ` See ${see}.`;
  if (response.status !== 201) throw new Error(`It was not created: ${response.status} ${response.text}${where}`);
  return response.body.data as T;
}

export function idsOf(response: Pick<ApiResponse, 'body'>): string[] {
  return (response.body.data as { _id: string }[]).map(({ _id }) => _id);
}

/** The target of a `Link` header's relation; undefined when there is none. */
export function linkOf(response: ApiResponse, relation: 'next' | 'prev'): string | undefined {
  const links = (response.headers.link ?? '').split(', ');
  return links.find((link) => link.endsWith(`; rel="${relation}"`))?.replace(/^<(.*)>;.*$/, '$1');
}
