import type { ApiDto } from '../../../src/registry/apis/api.dto';
import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import { ApiResponse, Client } from '../../support/client';
import { Expected, expectOutcome } from '../../support/expect-error';
import { meanwhile, MOMENTS } from '../../support/meanwhile';
import { createOrganization, idsOf, newManager } from '../../support/records';
import { useService } from '../../support/service';
import { apiBody, createApi, feature } from './api-records';

type Event = () => Promise<unknown>;

const service = useService();
let founder: Client;
let second: Client;
let organization: OrganizationDto;
let api: ApiDto;
let path: string;
let organizationPath: string;
beforeAll(async () => {
  founder = await service.account();
});
beforeEach(async () => {
  organization = await createOrganization(founder);
  organizationPath = `/organizations/${organization._id}`;
  second = await newManager(service, organization._id);
  api = await createApi(founder, organization._id, { isPublic: true });
  path = `/apis/${api._id}`;
});

const create = (): Promise<ApiResponse> => founder.post(`${organizationPath}/apis`, apiBody());
const put = (fields: object, headers = {}): Promise<ApiResponse> => founder.put(path, { ...api, ...fields }, headers);
const featureIt = (): Promise<ApiResponse> => feature(second, organization, api);
const removeFounder = (): Promise<ApiResponse> => second.delete(`${organizationPath}/managers/${founder.id}`);
const count = (): Promise<number> => service.model('Api').countDocuments({ organizationId: organization._id });

describe.each(MOMENTS)('%s', (moment) => {
  const during = (event: Event, request: () => Promise<ApiResponse>): Promise<ApiResponse> =>
    meanwhile(service, moment, event, request);

  describe('of POST /organizations/:id/apis', () => {
    const change = (): Promise<ApiResponse> =>
      second.put(organizationPath, { ...organization, managerIds: null, description: 'Theirs' });

    it.each<[string, Event, Expected, number]>([
      ['the Organization changes: created all the same', change, 201, 2],
      ['the caller is removed: forbidden', removeFounder, 'forbidden', 1],
    ])('%s', async (_title, event, expected, left) => {
      expectOutcome(await during(event, create), expected);
      expect(await count()).toBe(left);
    });
  });

  it('of PUT /apis/:id a private one is made public and featured: it is private and not featured', async () => {
    api = (await put({ isPublic: false })).body.data as ApiDto;
    const publish = (): Promise<ApiResponse> => second.put(path, { ...api, isPublic: true });
    const show = async (): Promise<unknown> => [await publish(), await featureIt()];
    const { data } = (await during(show, () => put({ description: 'Ours' }))).body;
    expect(data).toMatchObject({ isPublic: false, description: 'Ours' });
    expect(await service.stored('Organization', organization._id)).toMatchObject({ featuredApiIds: [], revision: 3 });
  });

  it.each([
    ['PUT /apis/:id to private', () => put({ isPublic: false }), 200],
    ['DELETE /apis/:id', () => founder.delete(path), 204],
  ])('of %s it is featured: it is no longer featured', async (_title, request, expected) => {
    expectOutcome(await during(featureIt, request), expected);
    expect(await service.stored('Organization', organization._id)).toMatchObject({ featuredApiIds: [], revision: 3 });
  });
});

it('GET /apis, when the caller is removed after the guards: the list shows them no private APIs', async () => {
  await create();
  const list = (): Promise<ApiResponse> => founder.get(`/apis?organizationId=${organization._id}`);
  expect(idsOf(await meanwhile(service, 'after the guards', removeFounder, list))).toEqual([api._id]);
});
