import { randomBytes, randomInt } from 'node:crypto';
import type { ApiDto } from '../../../src/registry/apis/api.dto';
import { type Api, ApiSchema } from '../../../src/registry/apis/api.schema';
import { newRecord } from '../../../src/platform/records/schema/derived-fields';
import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import type { ApiResponse, Client } from '../../support/client';
import type { Shown } from '../../support/scene';
import { created, unique } from '../../support/records';

/** An Api's fields as POST and PUT take them; the name is made up where none is given. */
export function apiBody(fields: object = {}): Record<string, unknown> {
  return { name: `Api ${unique()}`, url: 'https://api.nets.example', ...fields };
}

export async function createApi(manager: Client, organizationId: string, fields: object = {}): Promise<ApiDto> {
  return created(await manager.post(`/organizations/${organizationId}/apis`, apiBody(fields)));
}

/** The stored form of an API, with as many old slugs as it may have, and as long and as large texts as there can be. */
export function longApi({ _id, createdBy }: Shown): Api {
  const long = (length: number): string =>
    String.fromCodePoint(...Array.from(randomBytes(length), (byte) => 0x4e00 + 64 * byte + randomInt(64)));
  const url = (): string => `https://nets.example/${randomBytes(1013).toString('hex')}`;
  const slugs = Array.from({ length: 51 }, () => {
    const text = randomBytes(40).toString('hex');
    return { text, base: text, index: 0 };
  });
  return newRecord<Api>(ApiSchema, {
    ...{ organizationId: _id, createdBy, slug: slugs[0], slugs },
    ...{ name: long(255), url: url(), description: long(4000), documentationUrl: url() },
  });
}

export function feature(
  manager: Client,
  organization: OrganizationDto,
  ...apis: { _id: string }[]
): Promise<ApiResponse> {
  const featuredApiIds = apis.map(({ _id }) => _id);
  return manager.put(`/organizations/${organization._id}`, { ...organization, managerIds: null, featuredApiIds });
}
