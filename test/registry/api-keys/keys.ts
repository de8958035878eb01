import type { ApiKeyDto, CreatedApiKeyDto } from '../../../src/registry/api-keys/api-key.dto';
import type { User } from '../../../src/registry/users/user.schema';
import type { ApiResponse, Client } from '../../support/client';
import { created } from '../../support/records';
import type { Service } from '../../support/service';

export const keysOf = ({ id }: Client): string => `/users/${id}/api-keys`;

/** Sends a POST of an API key of the caller. */
export function postKey(client: Client, fields: object = {}): Promise<ApiResponse> {
  const body = { name: 'Import', scope: 'write', currentPassword: client.password, ...fields };
  return client.post(keysOf(client), body);
}

/** A new API key of a person, and a client that sends it. */
export async function withKey(client: Client, fields?: object): Promise<{ key: CreatedApiKeyDto; program: Client }> {
  const key = created<CreatedApiKeyDto>(await postKey(client, fields));
  return { key, program: client.with(key.key) };
}

/** What later responses show of a new key. */
export function shown({ key: _, ...apiKey }: CreatedApiKeyDto): ApiKeyDto {
  return apiKey;
}

/** Changes the stored key of a User who has one. */
export async function changeKey(service: Service, { id }: Client, fields: object): Promise<void> {
  const $set = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`apiKeys.0.${name}`, value as unknown]),
  );
  await service.model<User>('User').updateOne({ _id: id }, { $set });
}
