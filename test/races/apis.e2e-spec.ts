import type { ApiDto } from '../../src/apis/api.dto';
import type { OrganizationDto } from '../../src/organizations/organization.dto';
import { apiBody, createApi, feature, storedOrganization } from '../apis/api-records';
import type { ApiResponse, Client } from '../support/client';
import { createOrganization } from '../support/records';
import type { Service } from '../support/service';
import { expectIndexes, expectOneWinner, races, short, twenty, useRaces } from './race';

let service: Service;
useRaces((started) => (service = started));
let manager: Client;
beforeAll(async () => {
  manager = await service.account();
});

const NOTHING = '400 1024 5012';
const post = ({ _id }: { _id: string }, body = apiBody()): Promise<ApiResponse> =>
  manager.post(`/organizations/${_id}/apis`, body);
const count = ({ _id }: OrganizationDto): Promise<number> =>
  service.model('Api').countDocuments({ organizationId: _id });

const leaving: [how: string, status: number, leave: (api: ApiDto) => Promise<ApiResponse>][] = [
  ['is deleted', 204, ({ _id }) => manager.delete(`/apis/${_id}`)],
  ['turns private', 200, (api) => manager.put(`/apis/${api._id}`, { ...api, isPublic: false })],
];
for (const [how, status, leave] of leaving) {
  races(
    `an API that ${how} while it is featured is not featured`,
    [`200 | ${status}`, `${NOTHING} | ${status}`],
    async () => {
      const organization = await createOrganization(manager);
      const api = await createApi(manager, organization._id, { isPublic: true });
      return {
        racers: [() => feature(manager, organization, api), () => leave(api)],
        check: async () => expect((await storedOrganization(service, organization)).featuredApiIds).toEqual([]),
      };
    },
  );
}

races(
  'no API is left of an Organization that is deleted while it is created',
  ['201 | 204', '404 1234 | 204'],
  async () => {
    const organization = await createOrganization(manager);
    return {
      racers: [() => post(organization), () => manager.delete(`/organizations/${organization._id}`)],
      check: async () => expect(await count(organization)).toBe(0),
    };
  },
);

const GONE = '404 1303';
races(
  'no API is left of an Organization that is deleted while they are changed and deleted',
  ['200 | 204 | 204', `${GONE} | 204 | 204`, `200 | ${GONE} | 204`, `${GONE} | ${GONE} | 204`],
  async () => {
    const organization = await createOrganization(manager);
    const [one, two] = [await createApi(manager, organization._id), await createApi(manager, organization._id)];
    return {
      racers: [
        () => manager.put(`/apis/${one._id}`, { ...one, name: `${one.name}, changed` }),
        () => manager.delete(`/apis/${two._id}`),
        () => manager.delete(`/organizations/${organization._id}`),
      ],
      check: async () => expect(await count(organization)).toBe(0),
    };
  },
);

it('of twenty new APIs with one name one is created', async () => {
  const organization = await createOrganization(manager);
  const body = apiBody();
  expectOneWinner(await twenty(() => post(organization, body)), '201', '409 1505');
});

it('twenty with one slug base in as many Organizations are all created', async () => {
  const organizations: OrganizationDto[] = [];
  while (organizations.length < 20) organizations.push(await createOrganization(manager));
  const responses = await twenty((number) => post(organizations[number]!, apiBody({ name: 'raced' })));
  expectIndexes(responses);
});

it('twenty new APIs in one Organization exist if the response said so', async () => {
  const organization = await createOrganization(manager);
  const responses = await twenty(() => post(organization));
  const made = responses.filter(({ status }) => status === 201).length;
  expect(await count(organization)).toBe(made);
  expect(new Set(responses.map(short))).toEqual(new Set(made < 20 ? ['201', '409 1510'] : ['201']));
});
