import type { ApiDto } from '../../../src/registry/apis/api.dto';
import { MAX_APIS } from '../../../src/registry/apis/api.schema';
import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import type { ApiResponse, Client } from '../../support/client';
import { expectFieldErrors, expectOutcome } from '../../support/expect-error';
import { backdate, createOrganization, etag, idsOf } from '../../support/records';
import { useService } from '../../support/service';
import { addApis, createApi } from './api-records';

const service = useService();
let manager: Client;
let organization: OrganizationDto;
let api: ApiDto;
let successor: ApiDto;
let path: string;
beforeAll(async () => {
  manager = await service.account();
});
beforeEach(async () => {
  organization = await createOrganization(manager);
  path = `/organizations/${organization._id}/apis`;
  api = await create({ isPublic: true });
  successor = await create();
});

const create = (fields = {}): Promise<ApiDto> => createApi(manager, organization._id, fields);
const put = (fields: object, of = api, by = manager): Promise<ApiResponse> =>
  by.put(`/apis/${of._id}`, { ...of, ...fields });
const eventsOf = async ({ _id }: ApiDto): Promise<unknown> =>
  (await service.admin.get(`/events?resourceId=${_id}&limit=1`)).body.data;

describe('successorId of an API', () => {
  it('is another API of its Organization, and nothing else (5012), whoever sends it', async () => {
    const foreign = await createApi(manager, (await createOrganization(manager))._id, { isPublic: true });
    for (const by of [manager, service.admin]) {
      for (const { _id } of [api, foreign, organization])
        expectFieldErrors(await put({ successorId: _id }, api, by), ['namesNothing', 'successorId']);
      expect((await put({ successorId: successor._id }, api, by)).body.data).toMatchObject({
        successorId: successor._id,
      });
    }
    const body = { ...api, name: 'Next', successorId: foreign._id };
    expectFieldErrors(await manager.post(path, body), ['namesNothing', 'successorId']);
    expect((await manager.post(path, { ...body, successorId: api._id })).status).toBe(201);
  });

  it('is seen by all who see the API, also where its own API is private', async () => {
    await put({ successorId: successor._id });
    const account = await service.account();
    expect((await account.get(`/apis/${api._id}`)).body).toMatchObject({ successorId: successor._id });
    expectOutcome(await account.get(`/apis/${successor._id}`), 'forbidden');
  });

  it('can lead back to the API', async () => {
    await put({ successorId: successor._id });
    expectOutcome(await put({ successorId: api._id }, successor), 200);
    expectOutcome(await manager.delete(`/organizations/${organization._id}`), 204);
  });

  it('is cleared when that API is deleted, in a new revision with an Event', async () => {
    await put({ successorId: successor._id });
    const longAgo = await backdate(service, 'Api', api._id);
    await manager.delete(`/apis/${successor._id}`);
    const { body, headers } = await manager.get(`/apis/${api._id}`);
    expect({ ...body, etag: headers.etag }).toMatchObject({ successorId: null, etag: etag(2) });
    expect(body.updatedAt).not.toBe(longAgo);
    const changes = [{ field: 'successorId' }];
    expect(await eventsOf(api)).toMatchObject([{ type: 'api.updated', actorId: manager.id, changes }]);
  });

  it('is cleared in all other APIs of the largest Organization at once', async () => {
    await addApis(service, organization, MAX_APIS - 2);
    const others = { organizationId: organization._id, _id: { $ne: successor._id } };
    await service.model('Api').updateMany(others, { $set: { successorId: successor._id } });
    expectOutcome(await manager.delete(`/apis/${successor._id}`), 204);
    expect(await service.model('Api').countDocuments({ ...others, successorId: null, revision: 1 })).toBe(MAX_APIS - 1);
  });
});

describe('a list of APIs', () => {
  /** APIs by the dates that they are created with. */
  async function foundBefore(date: string, dates: readonly (string | null)[]): Promise<(string | null)[]> {
    const ids = new Map<string, string | null>();
    for (const sunsetAt of dates) ids.set((await create({ sunsetAt }))._id, sunsetAt);
    const query = `limit=100&sunsetBefore=${encodeURIComponent(date)}`;
    const [all, own] = [await manager.get(`/apis?${query}`), await manager.get(`${path}?${query}`)].map(idsOf);
    expect(all!.filter((id) => ids.has(id))).toEqual(own);
    return own!.map((id) => ids.get(id)!);
  }

  it.each([
    ['2027-03-30T23:00:00Z', ['2027-03-30']],
    ['2027-03-31', ['2027-03-31T01:00+02:00', '2027-03-30']],
    ['2027-03-31T00:00:00.001Z', ['2027-03-31T01:00+02:00', '2027-03-31', '2027-03-30']],
    ['2027-03-31T02:00:01+02:00', ['2027-03-31T01:00+02:00', '2027-03-31', '2027-03-30']],
    ['0000-01-01', []],
  ])('takes sunsetBefore=%s in both forms, as a time: %j', async (date, expected) => {
    expect(await foundBefore(date, ['2027-03-31T01:00+02:00', '2027-03-31', '2027-03-30', null])).toEqual(expected);
  });

  it('finds an API by the sunsetAt that it has now', async () => {
    const find = async (): Promise<string[]> => idsOf(await manager.get(`${path}?sunsetBefore=2027-01-01`));
    for (const [sunsetAt, found] of [
      ['2026-12-31', [api._id]],
      ['2027-01-01', []],
      ['2026-12-31T00:00Z', [api._id]],
      [undefined, []],
    ] as const) {
      await put({ sunsetAt });
      expect(await find()).toEqual(found);
    }
  });

  it('finds by successorId, also of a private one, what the caller may see', async () => {
    await put({ successorId: successor._id });
    const closed = await create({ successorId: successor._id });
    const find = async (by: Client): Promise<string[]> => idsOf(await by.get(`/apis?successorId=${successor._id}`));
    expect(await find(manager)).toEqual([api._id, closed._id]);
    expect(await find(await service.account())).toEqual([api._id]);
    await manager.delete(`/apis/${successor._id}`);
    expect(await find(manager)).toEqual([]);
  });
});

describe('an Event about an API', () => {
  it('has sunsetAt before and after, and of version and successorId only the names', async () => {
    await put({ version: '2', sunsetAt: '2027-03-31', successorId: successor._id });
    const names = [{ field: 'version' }, { field: 'sunsetAt', from: null, to: '2027-03-31' }, { field: 'successorId' }];
    expect(await eventsOf(api)).toMatchObject([{ changes: names }]);
    await put({ sunsetAt: '2027-03-31T00:00+01:00', version: '2', successorId: successor._id });
    const moved = { field: 'sunsetAt', from: '2027-03-31', to: '2027-03-31T00:00+01:00' };
    expect(await eventsOf(api)).toMatchObject([{ changes: [moved] }]);
  });
});
