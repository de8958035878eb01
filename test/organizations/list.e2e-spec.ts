import type { OrganizationDto } from '../../src/organizations/organization.dto';
import { Client } from '../support/client';
import { expectError } from '../support/expect-error';
import { addManager, createOrganization, idsOf, NOTHING } from '../support/records';
import { useService } from '../support/service';

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
    expect(await found(`managerId=${second.id}&q=a&skip=1&limit=1`)).toEqual(['Beta']);
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

  it('finds what was changed since a time, which is included', async () => {
    const times = ['2026-03-16T00:00:00.000Z', '2026-03-16T19:07:54.575Z'];
    for (const [index, time] of times.entries())
      await service
        .model('Organization')
        .updateOne({ _id: records[index]!._id }, { $set: { updatedAt: new Date(time) } });
    const since = async (date: string) => (await found(`updatedSince=${date}&q=a&sort=-_id`)).slice(-2);
    expect(await since('2026-03-16')).toEqual(['Beta', 'Alpha']);
    for (const date of [times[1]!, '2026-03-16T20:07:54.575%2B01:00'])
      expect(await since(date)).toEqual(['Gamma', 'Beta']);
    expect(await since('2026-03-16T19:07:54.576Z')).toEqual(['Delta', 'Gamma']);
  });
});
