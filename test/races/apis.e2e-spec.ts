import { Types } from 'mongoose';
import type { ApiDto } from '../../src/apis/api.dto';
import type { Api } from '../../src/apis/api.schema';
import type { OrganizationDto } from '../../src/organizations/organization.dto';
import type { Organization } from '../../src/organizations/organization.schema';
import { apiBody, createApi, feature } from '../apis/api-records';
import type { ApiResponse, Client } from '../support/client';
import { createOrganization } from '../support/records';
import { Service, startService } from '../support/service';
import { expectSoundApis } from './api-invariants';
import { race, rounds, short } from './race';

describe('changes of Apis at once', () => {
  let service: Service;
  let manager: Client;

  beforeAll(async () => {
    service = await startService();
    manager = await service.account();
  });
  afterEach(() => expectSoundApis(service));
  afterAll(() => service.stop());

  const publicApi = ({ _id }: OrganizationDto): Promise<ApiDto> => createApi(manager, _id, { isPublic: true });

  const post = ({ _id }: { _id: string }, body = apiBody()): Promise<ApiResponse> =>
    manager.post(`/organizations/${_id}/apis`, body);

  async function featuredBy({ _id }: OrganizationDto): Promise<string[]> {
    const organization = await service.model<Organization>('Organization').findById(_id).lean<Organization>();
    return organization?.featuredApiIds.map(String) ?? [];
  }

  const count = (_id: string): Promise<number> =>
    service.model<Api>('Api').countDocuments({ organizationId: new Types.ObjectId(_id) });

  it('an Api that is deleted while it is featured is featured nowhere', () =>
    rounds(
      async () => {
        const organization = await createOrganization(manager);
        const api = await publicApi(organization);
        const answers = await race(
          () => feature(manager, organization, api),
          () => manager.delete(`/apis/${api._id}`),
        );
        expect(await featuredBy(organization)).toEqual([]);
        return answers.map(short).join(' | ');
      },
      { '200 | 204': true, '400 1024 5012 | 204': true },
    ));

  it('an Api that turns private while it is featured is featured nowhere', () =>
    rounds(
      async () => {
        const organization = await createOrganization(manager);
        const api = await publicApi(organization);
        const answers = await race(
          () => feature(manager, organization, api),
          () => manager.put(`/apis/${api._id}`, { ...api, isPublic: false }),
        );
        expect(await featuredBy(organization)).toEqual([]);
        return answers.map(short).join(' | ');
      },
      { '200 | 200': true, '400 1024 5012 | 200': true },
    ));

  it('no Api is left of an Organization that is deleted while it is created', () =>
    rounds(
      async () => {
        const { _id } = await createOrganization(manager);
        const answers = await race(
          () => post({ _id }),
          () => manager.delete(`/organizations/${_id}`),
        );
        expect(await count(_id)).toBe(0);
        return answers.map(short).join(' | ');
      },
      { '201 | 204': true, '404 1234 | 204': true },
    ));

  it('no Api is left of an Organization that is deleted while they are changed and deleted', () =>
    rounds(
      async () => {
        const { _id } = await createOrganization(manager);
        const [one, two] = [await createApi(manager, _id), await createApi(manager, _id)];
        const answers = await race(
          () => manager.put(`/apis/${one._id}`, { ...one, name: `${one.name}, changed` }),
          () => manager.delete(`/apis/${two._id}`),
          () => manager.delete(`/organizations/${_id}`),
        );
        expect(await count(_id)).toBe(0);
        return answers.map(short).join(' | ');
      },
      {
        '200 | 204 | 204': true,
        '404 1303 | 204 | 204': false,
        '200 | 404 1303 | 204': false,
        '404 1303 | 404 1303 | 204': true,
      },
    ));

  it('two that are given one name: one has it', () =>
    rounds(
      async () => {
        const organization = await createOrganization(manager);
        const [one, two] = [await publicApi(organization), await publicApi(organization)];
        const name = `Name of ${one.name}`;
        const rename = (api: ApiDto) => (): Promise<ApiResponse> => manager.put(`/apis/${api._id}`, { ...api, name });
        const answers = await race(rename(one), rename(two));
        return answers.map(short).sort().join(' | ');
      },
      { '200 | 409 1505': true },
    ));

  it('an Api that is deleted twice is deleted and counted once', () =>
    rounds(
      async () => {
        const api = await publicApi(await createOrganization(manager));
        const remove = (): Promise<ApiResponse> => manager.delete(`/apis/${api._id}`);
        const answers = await race(remove, remove);
        return answers.map(short).sort().join(' | ');
      },
      { '204 | 404 1303': true },
    ));

  it('twenty creations of one name make one Api', async () => {
    const organization = await createOrganization(manager);
    const body = apiBody();
    const answers = await race(...Array.from({ length: 20 }, () => () => post(organization, body)));
    expect(answers.map(short).sort()).toEqual(['201', ...Array.from({ length: 19 }, () => '409 1505')]);
  });

  it('twenty creations of one slug in as many Organizations have no loser', async () => {
    const organizations: OrganizationDto[] = [];
    for (let number = 0; number < 20; number += 1) organizations.push(await createOrganization(manager));
    const answers = await race(...organizations.map((one) => () => post(one, apiBody({ name: 'raced' }))));
    expect(answers.map(short)).toEqual(answers.map(() => '201'));
    const indexes = answers.map(({ body }): number => body.data.friendlySlugs.slug.index);
    expect(indexes.sort((one, other) => one - other)).toEqual(answers.map((_, index) => index));
  });

  it('twenty creations in one Organization are all there that were told so', async () => {
    const { _id } = await createOrganization(manager);
    const answers = await race(...Array.from({ length: 20 }, () => () => post({ _id })));
    const made = answers.filter(({ status }) => status === 201).length;
    expect(await count(_id)).toBe(made);
    expect(new Set(answers.map(short))).toEqual(new Set(made < 20 ? ['201', '409 1510'] : ['201']));
  });
});
