import type { ApiDto } from '../../../src/registry/apis/api.dto';
import type { FileDto } from '../../../src/registry/files/file.dto';
import type { File } from '../../../src/registry/files/file.schema';
import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import { Organization } from '../../../src/registry/organizations/organization.schema';
import { createApi } from '../apis/api-records';
import { uploaded } from '../files/uploads';
import { ApiResponse, Client } from '../../support/client';
import { Expected, expectOutcome } from '../../support/expect-error';
import { meanwhile, MOMENTS } from '../../support/meanwhile';
import { addManager, createOrganization, ifMatch, newManager, organizationBody } from '../../support/records';
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
/** Another name, and one that makes the same slug. */
const names = (): [string, string] => [`${record.name} renamed`, `${record.name}: renamed!`];
const named = (name: unknown): Promise<number> => service.model('Organization').countDocuments({ name });

const apiEvents: [string, Event][] = [
  ['is turned private', () => second.put(`/apis/${apis[1]._id}`, { ...apis[1], isPublic: false })],
];

describe.each(MOMENTS)('%s', (moment) => {
  const during = (event: Event, request: () => Promise<ApiResponse>): Promise<ApiResponse> =>
    meanwhile(service, moment, event, request);

  it.each([false, true])('of POST the caller is deleted, and their file (%s): no such account', async (withLogo) => {
    const body = organizationBody(withLogo ? { [LOGO]: (await uploaded(second))._id } : {});
    const remove = (): Promise<ApiResponse> => service.admin.delete(`/users/${second.id}`);
    expectOutcome(await during(remove, () => second.post('/organizations', body)), 'accountGone');
    expect(await named(body.name)).toBe(0);
  });

  it.each([
    ['POST', (name: string) => founder.post('/organizations', organizationBody({ name }))],
    ['PUT', (name: string) => put({ name })],
  ])('of %s the slug is taken: it gets the next one', async (_method, request) => {
    const [name, same] = names();
    const take = (): Promise<unknown> => createOrganization(second, { name: same });
    const { slug, friendlySlugs } = (await during(take, () => request(name))).body.data;
    expect(slug).toBe(`${friendlySlugs.slug.base}-1`);
    expect(await service.model('Organization').countDocuments({ 'slugs.text': slug })).toBe(1);
  });

  describe('of PUT /organizations/:id', () => {
    const everything = (): object => ({
      name: names()[0],
      managerIds: undefined,
      featuredApiIds: apis.map(({ _id }) => _id),
      [LOGO]: file._id,
    });
    const references = (): object => ({ ...everything(), name: record.name });

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

    it('somebody else renames it: it is found by that slug, too', async () => {
      const { name, slug } = record;
      const rename = (): Promise<ApiResponse> => put({ name: `${name} of theirs` }, {}, second);
      const { data } = (await during(rename, () => put({ name: `${name} of ours` }))).body;
      expect(data.slug).toBe(`${slug}-of-ours`);
      expect((await stored())?.slugs.map(({ text }) => text)).toEqual([slug, `${slug}-of-theirs`, `${slug}-of-ours`]);
    });

    const noLogo = ['namesNothing', LOGO] as const;
    const takeName = (fields = {}) => createOrganization(founder, { name: names()[0], ...fields });
    const refusals: [string, Event, () => object, Expected][] = [
      ['the name is taken', () => takeName(), everything, 'organizationNameTaken'],
      ['the file becomes another’s logo', () => createOrganization(founder, { [LOGO]: file._id }), references, noLogo],
    ];

    it.each(refusals)('%s: it is refused, and nothing changes', async (_title, event, fields, expected) => {
      const before = await stored();
      expectOutcome(await during(event, () => put(fields())), expected);
      expect(await stored()).toEqual(before);
      expect(await service.stored('Api', apis[0]._id)).toMatchObject({ referenceCount: 0 });
      expect(await ownerOf(file)).not.toBe(record._id);
    });

    it.each(apiEvents)('an API %s: it cannot be featured, and nothing else changes', async (_title, event) => {
      const before = await stored();
      expectOutcome(await during(event, () => put(everything())), ['namesNothing', 'featuredApiIds.1']);
      const rest = before as Organization;
      expect(await stored()).toMatchObject(rest);
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

    it.each(apiEvents)('an API %s: it cannot be featured any more', async (_title, event) => {
      const response = await during(event, () => put({ description: 'Ours' }, ifMatch(2)));
      expectOutcome(response, ['namesNothing', 'featuredApiIds.1']);
      expect(await shown()).toMatchObject({ description: '', featuredApiIds: [apis[0]._id], [LOGO]: file._id });
    });

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

  it('of DELETE /organizations/:id it gets an API and another logo: both go with it, and the former logo stays its uploader’s', async () => {
    const theirs = await uploaded(second);
    await put({ [LOGO]: file._id });
    const change = async (): Promise<unknown> => [
      await createApi(second, record._id),
      await put({ [LOGO]: theirs._id }, {}, second),
    ];
    expectOutcome(await during(change, () => founder.delete(path)), 204);
    expect(await service.model('Api').countDocuments({ organizationId: record._id })).toBe(0);
    expect(await Promise.all([file, theirs].map(ownerOf))).toEqual([null, undefined]);
  });
});
