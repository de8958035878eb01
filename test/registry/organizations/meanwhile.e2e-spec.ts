import type { ApiDto } from '../../../src/registry/apis/api.dto';
import type { FileDto } from '../../../src/registry/files/file.dto';
import type { File } from '../../../src/registry/files/file.schema';
import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import { Organization } from '../../../src/registry/organizations/organization.schema';
import { createApi, feature } from '../apis/api-records';
import { uploaded } from '../files/uploads';
import { ApiResponse, Client } from '../../support/client';
import { expectOutcome } from '../../support/expect-error';
import { meanwhile, MOMENTS } from '../../support/meanwhile';
import { addManager, createOrganization, idsOf, newManager } from '../../support/records';
import { useService } from '../../support/service';

const LOGO = 'organizationLogoFileId';
type Event = () => Promise<unknown>;

const service = useService();
let founder: Client;
let second: Client;
let record: OrganizationDto;
let path: string;
let apis: [ApiDto, ApiDto];
let file: FileDto;
beforeEach(async () => {
  founder = await service.account();
  const { _id } = await createOrganization(founder);
  path = `/organizations/${_id}`;
  second = await newManager(service, _id);
  record = (await founder.get(path)).body as OrganizationDto;
  apis = [await publicApi(), await publicApi()];
  file = await uploaded(founder);
});

const publicApi = (): Promise<ApiDto> => createApi(founder, record._id, { isPublic: true });
const put = (fields: object, headers = {}, client = founder): Promise<ApiResponse> =>
  client.put(path, { ...record, ...fields }, headers);
const stored = (): Promise<Organization | null> => service.stored<Organization>('Organization', record._id);
const shown = async (): Promise<OrganizationDto> => (await second.get(path)).body as OrganizationDto;
/** Whose logo a File is; undefined when there is no such File. */
const ownerOf = async ({ _id }: FileDto): Promise<string | null | undefined> => {
  const found = await service.stored<File>('File', _id);
  return found ? (found.organizationId?.toHexString() ?? null) : undefined;
};

describe.each(MOMENTS)('%s', (moment) => {
  const during = (event: Event, request: () => Promise<ApiResponse>): Promise<ApiResponse> =>
    meanwhile(service, moment, event, request);

  describe('of PUT /organizations/:id', () => {
    const everything = (): object => ({
      name: `${record.name} renamed`,
      managerIds: undefined,
      featuredApiIds: apis.map(({ _id }) => _id),
      [LOGO]: file._id,
    });

    it('somebody joins: they stay', async () => {
      const joiner = await service.account();
      const join = (): Promise<void> => addManager(second, record._id, joiner.id);
      const { data } = (await during(join, () => put(everything()))).body;
      expect(data).toMatchObject({ ...everything(), managerIds: [founder.id, second.id, joiner.id] });
      expect(await shown()).toEqual(data);
      expect(await service.stored('Api', apis[0]._id)).toMatchObject({ referenceCount: 1 });
      expect(await ownerOf(file)).toBe(record._id);
    });

    it('somebody joins: they stay, and a body with the Managers of before is refused', async () => {
      const response = await during(
        () => newManager(service, record._id),
        () => put({ ...everything(), managerIds: record.managerIds }),
      );
      expectOutcome(response, ['changedElsewhere', 'managerIds']);
      expect(await shown()).toMatchObject({ name: record.name, managerIds: { length: 3 } });
    });

    it('the file becomes another’s logo: it is refused, and nothing changes', async () => {
      const before = await stored();
      const take = () => createOrganization(founder, { [LOGO]: file._id });
      expectOutcome(await during(take, () => put({ ...everything(), name: record.name })), ['namesNothing', LOGO]);
      expect(await stored()).toEqual(before);
      expect(await service.stored('Api', apis[0]._id)).toMatchObject({ referenceCount: 0 });
      expect(await ownerOf(file)).not.toBe(record._id);
    });

    it('an API is turned private: it cannot be featured, and nothing else changes', async () => {
      const hide = () => second.put(`/apis/${apis[1]._id}`, { ...apis[1], isPublic: false });
      const before = await stored();
      expectOutcome(await during(hide, () => put(everything())), ['namesNothing', 'featuredApiIds.1']);
      expect(await stored()).toEqual(before);
      expect(await service.stored('Api', apis[0]._id)).toMatchObject({ referenceCount: 0 });
      expect(await ownerOf(file)).toBeNull();
    });

    it('somebody else sets another logo: that one is its uploader’s again', async () => {
      const [first, theirs] = [await uploaded(founder), await uploaded(second)];
      await put({ [LOGO]: first._id });
      const change = (): Promise<ApiResponse> => put({ [LOGO]: theirs._id }, {}, second);
      expectOutcome(await during(change, () => put({ [LOGO]: file._id })), 200);
      expect(await Promise.all([first, theirs, file].map(ownerOf))).toEqual([null, null, record._id]);
    });
  });

  describe('of PUT /organizations/:id that keeps its references', () => {
    beforeEach(async () => {
      const featuredApiIds = apis.map(({ _id }) => _id);
      record = (await put({ featuredApiIds, [LOGO]: file._id })).body.data as OrganizationDto;
    });
    const takeAway = (): Promise<ApiResponse> => put({ [LOGO]: null });

    it('the logo is taken away: its uploader sets it again, another cannot', async () => {
      const describeIt = (client: Client) => () => put({ description: 'Ours' }, {}, client);
      expectOutcome(await during(takeAway, describeIt(second)), ['namesNothing', LOGO]);
      expect(await ownerOf(file)).toBeNull();
      await put({});
      expectOutcome(await during(takeAway, describeIt(founder)), 200);
      expect(await shown()).toMatchObject({ description: 'Ours', [LOGO]: file._id });
      expect(await ownerOf(file)).toBe(record._id);
    });
  });
});

describe.each(MOMENTS)('%s', (moment) => {
  const during = (event: Event, request: () => Promise<ApiResponse>): Promise<ApiResponse> =>
    meanwhile(service, moment, event, request);
  const putApi = (fields: object, by = founder): Promise<ApiResponse> =>
    by.put(`/apis/${apis[0]._id}`, { ...apis[0], ...fields });
  const featureIt = (): Promise<ApiResponse> => feature(second, record, apis[0]);

  it('of PUT /apis/:id a private one is made public and featured: it is private and not featured', async () => {
    apis[0] = (await putApi({ isPublic: false })).body.data as ApiDto;
    const show = async (): Promise<unknown> => [await putApi({ isPublic: true }, second), await featureIt()];
    const { data } = (await during(show, () => putApi({ description: 'Ours' }))).body;
    expect(data).toMatchObject({ isPublic: false, description: 'Ours' });
    expect(await stored()).toMatchObject({ featuredApiIds: [] });
  });

  it.each([
    ['PUT /apis/:id to private', () => putApi({ isPublic: false }), 200],
    ['DELETE /apis/:id', () => founder.delete(`/apis/${apis[0]._id}`), 204],
  ])('of %s it is featured: it is no longer featured', async (_title, request, expected) => {
    expectOutcome(await during(featureIt, request), expected);
    expect(await stored()).toMatchObject({ featuredApiIds: [] });
  });
});

it('GET /apis, when the caller is removed after the guards, shows them no private APIs', async () => {
  await createApi(founder, record._id);
  const remove = (): Promise<ApiResponse> => second.delete(`${path}/managers/${founder.id}`);
  const list = (): Promise<ApiResponse> => founder.get(`/apis?organizationId=${record._id}`);
  expect(idsOf(await meanwhile(service, 'after the guards', remove, list))).toEqual(apis.map(({ _id }) => _id));
});
