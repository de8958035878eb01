import { ApiTarget } from '../../src/apis/apis.target';
import { ApisService } from '../../src/apis/apis.service';
import { Transactions } from '../../src/database/transactions';
import type { OrganizationDto } from '../../src/organizations/organization.dto';
import type { Organization } from '../../src/organizations/organization.schema';
import { ApiResponse, Client } from '../support/client';
import { expectFailure } from '../support/expect-error';
import { meanwhile } from '../support/meanwhile';
import { addManager, createOrganization, idsOf } from '../support/records';
import { Service, startService } from '../support/service';
import { apiBody, createApi, storedOrganization } from './api-records';

let service: Service;
let apis: ApisService;
let transactions: Transactions;
let founder: Client;
let second: Client;
let organization: OrganizationDto;
let path: string;
beforeAll(async () => {
  service = await startService();
  apis = service.app.get(ApisService);
  transactions = service.app.get(Transactions);
  [founder, second] = [await service.account(), await service.account()];
});
afterAll(() => service.stop());
beforeEach(async () => {
  organization = await createOrganization(founder);
  path = `/organizations/${organization._id}`;
  await addManager(founder, organization._id, second.id);
});
afterEach(() => jest.restoreAllMocks());

const create = (fields = {}): Promise<ApiResponse> => founder.post(`${path}/apis`, apiBody(fields));
const removeFounder = (): Promise<ApiResponse> => second.delete(`${path}/managers/${founder.id}`);
const storedCount = (): Promise<number> => service.model('Api').countDocuments({ organizationId: organization._id });

/** Lets the Organization hold that many Apis, which are not there. */
async function count(apiCount: number): Promise<void> {
  await service.model<Organization>('Organization').updateOne({ _id: organization._id }, { $set: { apiCount } });
}

type Moment = [string, (event: () => Promise<unknown>) => void];
const MOMENTS: Moment[] = [
  ['before it has a slug', (event) => meanwhile(apis, 'create', event)],
  ['after that', (event) => meanwhile(transactions, 'attempt', event)],
];

describe.each(MOMENTS)('POST /organizations/:id/apis, when %s', (_title, at) => {
  it('the Organization changes: the Api is created all the same', async () => {
    at(() => second.put(path, { ...organization, description: 'Theirs' }));
    expect((await create()).status).toBe(201);
    expect(await storedOrganization(service, organization)).toMatchObject({ description: 'Theirs', apiCount: 1 });
    expect(await storedCount()).toBe(1);
  });

  it('the Organization is deleted: it is not there, and neither is the Api', async () => {
    at(() => second.delete(path));
    expectFailure(await create(), 'organizationNotFound');
    expect(await storedCount()).toBe(0);
  });

  it('the caller is removed: they may create none, counted or not', async () => {
    at(async () => [await removeFounder(), await count(1000)]);
    expectFailure(await create(), 'forbidden');
    expect(await storedCount()).toBe(0);
  });

  it('the 1,000th Api is created: one more is refused', async () => {
    at(() => count(1000));
    expectFailure(await create(), 'tooMany', 'An Organization has at most 1,000 Apis.');
    expect(await storedOrganization(service, organization)).toMatchObject({ apiCount: 1000 });
    expect(await storedCount()).toBe(0);
  });

  it('the 999th Api is created: it is the 1,000th', async () => {
    at(() => count(999));
    expect((await create()).status).toBe(201);
    expect(await storedOrganization(service, organization)).toMatchObject({ apiCount: 1000 });
  });

  it('the name is taken: it is refused, and not counted', async () => {
    at(() => createApi(second, organization._id, { name: 'TAKEN' }));
    expectFailure(await create({ name: 'taken' }), 'apiNameTaken');
    expect(await storedOrganization(service, organization)).toMatchObject({ apiCount: 1 });
    expect(await storedCount()).toBe(1);
  });

  it('the name is taken in another Organization: it gets the next slug', async () => {
    const elsewhere = await createOrganization(second);
    const name = `Elsewhere, ${organization.name}`;
    at(() => createApi(second, elsewhere._id, { name }));
    const { data } = (await create({ name })).body;
    expect(data).toMatchObject({ name, slug: `${data.friendlySlugs.slug.base}-1` });
    expect(await storedCount()).toBe(1);
  });
});

describe('GET of Apis, when after its judgement', () => {
  it('the caller is removed: the list shows them no private ones', async () => {
    const shown = await createApi(founder, organization._id, { isPublic: true });
    await createApi(founder, organization._id);
    meanwhile(apis, 'list', removeFounder);
    expect(idsOf(await founder.get(`/apis?organizationId=${organization._id}`))).toEqual([shown._id]);
  });

  it('the Organization is deleted: the list shows none', async () => {
    await createApi(founder, organization._id, { isPublic: true });
    meanwhile(apis, 'list', () => second.delete(path));
    expect(idsOf(await founder.get(`/apis?organizationId=${organization._id}`))).toEqual([]);
  });
});

describe('GET /apis/:id, when between the Api and its Organization', () => {
  const meanwhileReading = (event: () => Promise<unknown>): void =>
    meanwhile(service.app.get(ApiTarget)['organizations'], 'load', event);

  it('the Organization is deleted: there is no such Api, public or private', async () => {
    for (const isPublic of [true, false]) {
      organization = await createOrganization(founder);
      const { _id } = await createApi(founder, organization._id, { isPublic });
      meanwhileReading(() => founder.delete(`/organizations/${organization._id}`));
      expectFailure(await founder.get(`/apis/${_id}`), 'apiNotFound');
    }
  });

  it('the caller is removed: a private one is not for them', async () => {
    const { _id } = await createApi(founder, organization._id);
    meanwhileReading(removeFounder);
    expectFailure(await founder.get(`/apis/${_id}`), 'forbidden');
  });
});
