import { FileSweep } from '../../src/files/file-sweep';
import type { FileDto } from '../../src/files/file.dto';
import type { OrganizationDto } from '../../src/organizations/organization.dto';
import { upload, uploaded } from '../files/uploads';
import type { ApiResponse, Client } from '../support/client';
import { createOrganization, newManager } from '../support/records';
import type { Service } from '../support/service';
import { expectSound } from './invariants';
import { race, races, short, twenty, useRaces } from './race';

let service: Service;
useRaces((started) => (service = started));
const CHANGED = '409 1510';
const NOTHING = '400 1024 5012';

let ada: Client;
beforeEach(async () => {
  ada = await service.account();
});
afterEach(async () => expect(await count({ organizationId: null, unattachedSince: null })).toBe(0));

const count = (filter: object): Promise<number> => service.model('File').countDocuments(filter);
const setLogo = (client: Client, organization: OrganizationDto, { _id }: FileDto): Promise<ApiResponse> =>
  client.put(`/organizations/${organization._id}`, { ...organization, managerIds: null, organizationLogoFileId: _id });

races(
  'a logo that is set and deleted at once is one or the other',
  ['200 | 409 1509', `${NOTHING} | 204`, `200 | ${CHANGED}`, `${CHANGED} | 204`],
  async () => {
    const [organization, file] = [await createOrganization(ada), await uploaded(ada)];
    return {
      racers: [() => setLogo(ada, organization, file), () => ada.delete(`/files/${file._id}`)],
      check: () => ada.delete(`/organizations/${organization._id}`),
    };
  },
);

races(
  'a file that two Organizations take as their logo belongs to one',
  [`200 | ${NOTHING}`, `${NOTHING} | 200`],
  async () => {
    const [one, two, file] = [await createOrganization(ada), await createOrganization(ada), await uploaded(ada)];
    return { racers: [one, two].map((organization) => () => setLogo(ada, organization, file)) };
  },
);

races(
  'a logo that is set while its Organization is deleted goes with it or stays unattached',
  ['200 | 204', '404 1234 | 204', '403 1200 | 204', `200 | ${CHANGED}`, `${CHANGED} | 204`],
  async () => {
    const [organization, file] = [await createOrganization(ada), await uploaded(ada)];
    const path = `/organizations/${organization._id}`;
    return {
      racers: [() => setLogo(ada, organization, file), () => ada.delete(path)],
      check: async ([set]) => {
        expect(await count({ _id: file._id })).toBe(set?.status === 200 ? 0 : 1);
        await ada.delete(`/files/${file._id}`);
      },
    };
  },
);

it('a file that becomes a logo when it is due is either swept or a logo', async () => {
  const organization = await createOrganization(ada);
  for (let round = 0; round < 20; round += 1) {
    const file = await uploaded(ada);
    await service.model('File').updateOne({ _id: file._id }, { $set: { unattachedSince: new Date(0) } });
    const set = async (): Promise<string> => short(await setLogo(ada, organization, file));
    const sweep = async (): Promise<string> => String(await service.app.get(FileSweep).sweep());
    expect(['200 0', `${NOTHING} 1`]).toContain((await race([set, sweep], round)).join(' '));
    await ada.put(`/organizations/${organization._id}`, organization);
    await ada.delete(`/files/${file._id}`);
  }
});

it('of uploads, also as logos, by a User who is deleted no unattached file is left', async () => {
  const organization = await createOrganization(ada);
  for (let round = 0; round < 20; round += 1) {
    const eve = await newManager(service, organization._id);
    const file = await uploaded(eve);
    const [deleted] = await race(
      [() => service.admin.delete(`/users/${eve.id}`), () => upload(eve), () => setLogo(eve, organization, file)],
      round,
    );
    expect(['204', CHANGED]).toContain(short(deleted!));
    if (deleted?.status === 204) expect(await count({ createdBy: eve.id, organizationId: null })).toBe(0);
    else await service.admin.delete(`/users/${eve.id}`);
    await expectSound(service);
    await ada.put(`/organizations/${organization._id}`, organization);
  }
});

it('of forty uploads at once twenty files are kept, and those that were created', async () => {
  const responses = [...(await twenty(() => upload(ada))), ...(await twenty(() => upload(ada)))];
  const kept = await count({ createdBy: ada.id });
  expect(kept).toBeLessThanOrEqual(20);
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(kept);
  expect(['201', CHANGED, '409 1511']).toEqual(expect.arrayContaining([...new Set(responses.map(short))]));
  while ((await count({ createdBy: ada.id })) < 20) await uploaded(ada);
  expect(short(await upload(ada))).toBe('409 1511');
});
