import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import { Client } from '../../support/client';
import { expectError } from '../../support/expect-error';
import { addManager, createOrganization, idsOf, NOTHING } from '../../support/records';
import { useService } from '../../support/service';

const service = useService();
let manager: Client;
let second: Client;
let records: OrganizationDto[];
beforeAll(async () => {
  [manager, second] = [await service.account(), await service.account()];
  records = [
    await createOrganization(manager, { name: 'Alpha', description: 'First Straße' }),
    await createOrganization(second, { name: 'Beta', url: 'https://HOST.example/path' }),
    await createOrganization(manager, { name: 'Gamma', description: 'Third' }),
    await createOrganization(second, { name: 'Delta', description: 'a.c*' }),
    await createOrganization(manager, { name: 'Epsilon' }),
  ];
  await addManager(manager, records[0]!._id, second.id);
});

const found = async (query: string): Promise<string[]> => {
  const names = new Map(records.map(({ _id, name }) => [_id, name]));
  return idsOf(await manager.get(`/organizations?${query}`)).map((id) => names.get(id) ?? id);
};

describe('GET /organizations', () => {
  it('finds by Manager, and takes all filters together', async () => {
    expect(await found(`managerId=${second.id}`)).toEqual(['Alpha', 'Beta', 'Delta']);
    const since = encodeURIComponent(records[3]!.updatedAt);
    expect(await found(`managerId=${second.id}&q=a&updatedSince=${since}&skip=1&limit=1`)).toEqual(['Delta']);
    expect(await found(`managerId=${NOTHING}`)).toEqual([]);
    const noId = await manager.get('/organizations?managerId=1');
    expectError(noId, 'invalidQuery', expect.stringContaining('"managerId" must be 24 lower-case hexadecimal digits'));
    expect(await found(`managerId=${second.id}&slug=alpha&q=first&after=${'0'.repeat(24)}`)).toEqual(['Alpha']);
    expect(await found(`managerId=${second.id}&slug=gamma`)).toEqual([]);
  });

  it.each([
    ['name=Alpha', ['Alpha']],
    ['name=%20ALPHA%E2%80%8B&q=straße', ['Alpha']],
    ['name=Alph', []],
    ['managerId=me&sort=-_id', ['Epsilon', 'Gamma', 'Alpha']],
    ['managerId=me&name=beta', []],
  ])('finds by the name as uniqueness compares it, and by the caller: %s', async (query, names) =>
    expect(await found(query)).toEqual(names),
  );
});
