import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiDto } from '../../src/apis/api.dto';
import type { OrganizationDto } from '../../src/organizations/organization.dto';
import type { Answer, Client } from '../support/client';
import { createOrganization } from '../support/records';
import { Service, startService } from '../support/service';
import { apiBody, createApi, feature, storedApi, storedOrganization } from './api-records';

const ROUNDS = 200;
const PATIENCE_MS = 120_000;

let service: Service;
let manager: Client;
let organization: OrganizationDto;
beforeAll(async () => {
  service = await startService();
  manager = await service.account();
  organization = await createOrganization(manager);
});
afterAll(() => service.stop());

/** Lets requests meet: each starts within a few milliseconds of the others. */
function race(...requests: (() => Promise<Answer>)[]): Promise<Answer[]> {
  return Promise.all(requests.map(async (request) => sleep(Math.random() * 4).then(request)));
}

/** Status and, where the content was not valid, the faults' codes: `400 5012`. */
function outcomes(answers: Answer[]): string[] {
  return answers.map(({ status, body }) => {
    const code: unknown = body?.message?.[0]?.code ?? body?.code ?? '';
    return `${status} ${String(code)}`.trim();
  });
}

const publicApi = (): Promise<ApiDto> => createApi(manager, organization._id, { isPublic: true });

describe('races of Apis', () => {
  it(
    'featuring and deleting: a deleted Api is featured nowhere',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const api = await publicApi();
        const requests = [() => feature(manager, organization, api), () => manager.delete(`/apis/${api._id}`)];
        const [featured, deleted] = outcomes(await race(...requests));
        expect(['200', '400 5012']).toContain(featured);
        expect(deleted).toBe('204');
        const { featuredApiIds, apiCount } = await storedOrganization(service, organization);
        expect({ featuredApiIds, apiCount }).toEqual({ featuredApiIds: [], apiCount: 0 });
      }
    },
    PATIENCE_MS,
  );

  it(
    'featuring and turning private: a private Api is featured nowhere',
    async () => {
      const api = await publicApi();
      for (let round = 0; round < ROUNDS; round += 1) {
        await manager.put(`/apis/${api._id}`, { ...api, isPublic: true });
        const requests = [
          () => feature(manager, organization, api),
          () => manager.put(`/apis/${api._id}`, { ...api, isPublic: false }),
        ];
        const [featured, closed] = outcomes(await race(...requests));
        expect(['200', '400 5012']).toContain(featured);
        expect(closed).toBe('200');
        expect(await storedApi(service, api)).toMatchObject({ isPublic: false });
        expect(await storedOrganization(service, organization)).toMatchObject({ featuredApiIds: [] });
      }
      await manager.delete(`/apis/${api._id}`);
    },
    PATIENCE_MS,
  );

  it(
    'creating an Api and deleting its Organization: no Api is left without one',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { _id } = await createOrganization(manager);
        const requests = [
          () => manager.post(`/organizations/${_id}/apis`, apiBody()),
          () => manager.delete(`/organizations/${_id}`),
        ];
        const [made, deleted] = outcomes(await race(...requests));
        expect(['201', '404 1234']).toContain(made);
        expect(deleted).toBe('204');
        expect(await service.model('Api').countDocuments({ organizationId: _id })).toBe(0);
      }
    },
    PATIENCE_MS,
  );

  it(
    'changing or deleting an Api and deleting its Organization: each comes first or second',
    async () => {
      for (let round = 0; round < ROUNDS / 4; round += 1) {
        const { _id } = await createOrganization(manager);
        const [one, two] = [await createApi(manager, _id), await createApi(manager, _id)];
        const requests = [
          () => manager.put(`/apis/${one._id}`, { ...one, description: 'changed' }),
          () => manager.delete(`/apis/${two._id}`),
          () => manager.delete(`/organizations/${_id}`),
        ];
        const [changed, deleted, gone] = outcomes(await race(...requests));
        expect(['200', '404 1303']).toContain(changed);
        expect(['204', '404 1303']).toContain(deleted);
        expect(gone).toBe('204');
        expect(await service.model('Api').countDocuments({ organizationId: _id })).toBe(0);
      }
    },
    PATIENCE_MS,
  );

  it('twenty creations of one name: one Api', async () => {
    const body = apiBody();
    const post = (): Promise<Answer> => manager.post(`/organizations/${organization._id}/apis`, body);
    const answers = outcomes(await Promise.all(Array.from({ length: 20 }, post)));
    expect(answers.sort()).toEqual(['201', ...Array.from({ length: 19 }, () => '409 1505')]);
    expect(await storedOrganization(service, organization)).toMatchObject({ apiCount: 1 });
  });

  it('twenty creations with one slug in as many Organizations: no loser, twenty slugs', async () => {
    const organizations: OrganizationDto[] = [];
    for (let index = 0; index < 20; index += 1) organizations.push(await createOrganization(manager));
    const post = ({ _id }: OrganizationDto): Promise<Answer> =>
      manager.post(`/organizations/${_id}/apis`, apiBody({ name: 'raced' }));
    const answers = await Promise.all(organizations.map(post));
    expect(outcomes(answers)).toEqual(answers.map(() => '201'));
    const indexes = answers.map(({ body }): number => body.data.friendlySlugs.slug.index);
    expect(indexes.sort((one, other) => one - other)).toEqual(answers.map((_, index) => index));
  });

  it('twenty creations in one Organization are counted one by one', async () => {
    const { _id } = await createOrganization(manager);
    const post = (): Promise<Answer> => manager.post(`/organizations/${_id}/apis`, apiBody());
    const made = outcomes(await Promise.all(Array.from({ length: 20 }, post))).filter((outcome) => outcome === '201');
    expect(await storedOrganization(service, { _id })).toMatchObject({ apiCount: made.length });
    expect(made).toHaveLength(20);
  });
});
