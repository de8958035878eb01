import type { ApiDto } from '../../src/apis/api.dto';
import { Transactions } from '../../src/database/transactions';
import type { FileDto } from '../../src/files/file.dto';
import type { File } from '../../src/files/file.schema';
import type { OrganizationDto } from '../../src/organizations/organization.dto';
import { Organization } from '../../src/organizations/organization.schema';
import { OrganizationsService } from '../../src/organizations/organizations.service';
import { createApi, storedApi } from '../apis/api-records';
import { uploaded } from '../files/uploads';
import { ApiResponse, Client } from '../support/client';
import { expectFailure, expectFaults } from '../support/expect-error';
import { meanwhile } from '../support/meanwhile';
import { addManager, createOrganization } from '../support/records';
import { Service, startService } from '../support/service';

let service: Service;
let organizations: OrganizationsService;
let transactions: Transactions;
let founder: Client;
let second: Client;
let record: OrganizationDto;
let path: string;
let apis: [ApiDto, ApiDto];
let file: FileDto;
beforeAll(async () => {
  service = await startService();
  organizations = service.app.get(OrganizationsService);
  transactions = service.app.get(Transactions);
  [founder, second] = [await service.account(), await service.account()];
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.model<File>('File').deleteMany({});
  const { _id } = await createOrganization(founder);
  path = `/organizations/${_id}`;
  await addManager(founder, _id, second.id);
  record = (await founder.get(path)).body as OrganizationDto;
  apis = [await publicApi(), await publicApi()];
  file = await uploaded(founder);
});
afterEach(() => jest.restoreAllMocks());

const LOGO = 'organizationLogoFileId';
const publicApi = (): Promise<ApiDto> => createApi(founder, record._id, { isPublic: true });
const put = (fields: object, headers = {}, client = founder): Promise<ApiResponse> =>
  client.put(path, { ...record, ...fields }, headers);
const stored = (): Promise<Organization | null> =>
  service.model<Organization>('Organization').findById(record._id).lean();
const shown = async (): Promise<OrganizationDto> => (await founder.get(path)).body as OrganizationDto;
/** Whose logo a File is; undefined when there is no such File. */
const ownerOf = async ({ _id }: FileDto): Promise<string | null | undefined> => {
  const found = await service.model<File>('File').findById(_id).lean();
  return found && (found.organizationId?.toHexString() ?? null);
};

type Moment = [string, (event: () => Promise<unknown>) => void];
const MOMENTS: Moment[] = [
  ['before the references are judged', (event) => meanwhile(organizations, 'update', event)],
  ['after that', (event) => meanwhile(transactions, 'attempt', event)],
];

describe.each(MOMENTS)('PUT /organizations/:id that adds references, when %s', (_title, at) => {
  const everything = (): object => ({
    name: `${record.name} renamed`,
    featuredApiIds: apis.map(({ _id }) => _id),
    [LOGO]: file._id,
  });
  const references = (): object => ({ ...everything(), name: record.name });

  it('name and logo are taken at once: the fault comes before the conflict', async () => {
    const before = await stored();
    at(() => createOrganization(founder, { name: `${record.name} renamed`, [LOGO]: file._id }));
    expectFaults(await put(everything()), ['namesNothing', LOGO]);
    expect(await stored()).toEqual(before);
  });

  it.each([
    ['is turned private', () => second.put(`/apis/${apis[1]._id}`, { ...apis[1], isPublic: false })],
    ['is deleted', () => second.delete(`/apis/${apis[1]._id}`)],
  ])('an Api %s: it cannot be featured, and nothing else changes', async (_event, event) => {
    for (const fields of [everything(), references()]) {
      const before = await stored();
      at(event);
      expectFaults(await put(fields), ['namesNothing', 'featuredApiIds.1']);
      const { apiCount: _, ...rest } = before as Organization;
      expect(await stored()).toMatchObject(rest);
      expect(await storedApi(service, apis[0])).toMatchObject({ referenceCount: 0 });
      expect(await ownerOf(file)).toBeNull();
    }
  });

  it('the file is deleted: it cannot be the logo, and nothing else changes', async () => {
    const before = await stored();
    at(() => founder.delete(`/files/${file._id}`));
    expectFaults(await put(everything()), ['namesNothing', LOGO]);
    expect(await stored()).toEqual(before);
    expect(await storedApi(service, apis[0])).toMatchObject({ referenceCount: 0 });
  });

  it('the file becomes another’s logo: it cannot be this one’s', async () => {
    const before = await stored();
    let other: OrganizationDto | undefined;
    at(async () => (other = await createOrganization(founder, { [LOGO]: file._id })));
    expectFaults(await put(references()), ['namesNothing', LOGO]);
    expect(await stored()).toEqual(before);
    expect(await ownerOf(file)).toBe(other?._id);
  });

  it('the Organization is deleted, and its Apis with it: it is not there, and the file is no logo', async () => {
    at(() => second.delete(path));
    expectFailure(await put(references()), 'organizationNotFound');
    expect(await ownerOf(file)).toBeNull();
  });

  it('the caller is deleted, and the file with them: they may change nothing', async () => {
    const leaver = await service.account();
    await addManager(founder, record._id, leaver.id);
    const theirs = await uploaded(leaver);
    at(() => service.admin.delete(`/users/${leaver.id}`));
    expectFailure(await put({ [LOGO]: theirs._id }, {}, leaver), 'forbidden');
    expect(await shown()).toMatchObject({ [LOGO]: null, managerIds: [founder.id, second.id] });
  });

  it('the caller is removed: they may change nothing', async () => {
    at(() => second.delete(`${path}/managers/${founder.id}`));
    expectFailure(await put(references()), 'forbidden');
    expect(await stored()).toMatchObject({ featuredApiIds: [], [LOGO]: null, revision: 2 });
    expect(await ownerOf(file)).toBeNull();
  });

  it('somebody else changes it: the last write wins', async () => {
    at(() => put({ description: 'Theirs' }, {}, second));
    expect(await put(references())).toMatchObject({ status: 200, headers: { etag: '"1-3"' } });
    expect(await shown()).toMatchObject({ ...references(), description: '' });
    expect(await storedApi(service, apis[0])).toMatchObject({ referenceCount: 1 });
    expect(await ownerOf(file)).toBe(record._id);
  });

  it('somebody else changes it: an If-Match of before is refused, and the references are not made', async () => {
    at(() => put({ description: 'Theirs' }, {}, second));
    expectFailure(await put(references(), { 'if-match': '"1-1"' }), 'preconditionFailed');
    expect(await shown()).toMatchObject({ description: 'Theirs', featuredApiIds: [], [LOGO]: null });
    expect(await storedApi(service, apis[0])).toMatchObject({ referenceCount: 0 });
    expect(await ownerOf(file)).toBeNull();
  });

  it('somebody else makes the same change: nothing is left to do', async () => {
    const change = { [LOGO]: file._id };
    at(() => put(change, {}, service.admin));
    expect(await put(change)).toMatchObject({ status: 200, headers: { etag: '"1-2"' }, body: { data: change } });
    expect(await ownerOf(file)).toBe(record._id);
  });

  it('somebody else sets another logo: that one is its uploader’s again', async () => {
    const [first, theirs] = [await uploaded(founder), await uploaded(second)];
    await put({ [LOGO]: first._id });
    at(() => put({ [LOGO]: theirs._id }, {}, second));
    expect((await put({ [LOGO]: file._id })).status).toBe(200);
    expect(await Promise.all([first, theirs, file].map(ownerOf))).toEqual([null, null, record._id]);
  });
});

describe('PUT /organizations/:id that keeps references, when after its judgement', () => {
  beforeEach(async () => {
    const featuredApiIds = apis.map(({ _id }) => _id);
    record = (await put({ featuredApiIds, [LOGO]: file._id })).body.data as OrganizationDto;
  });

  it.each([
    ['is turned private', () => second.put(`/apis/${apis[1]._id}`, { ...apis[1], isPublic: false })],
    ['is deleted', () => second.delete(`/apis/${apis[1]._id}`)],
  ])('an Api %s: it cannot be featured any more', async (_event, event) => {
    meanwhile(organizations, 'update', event);
    const answer = await put({ description: 'Ours' }, { 'if-match': '"1-2"' });
    expectFaults(answer, ['namesNothing', 'featuredApiIds.1']);
    expect(await shown()).toMatchObject({ description: '', featuredApiIds: [apis[0]._id], [LOGO]: file._id });
  });

  it('the logo is taken away: its uploader sets it again, another cannot', async () => {
    const takeAway = (): Promise<ApiResponse> => put({ [LOGO]: null }, {}, founder);
    meanwhile(organizations, 'update', takeAway);
    expectFaults(await put({ description: 'Ours' }, {}, second), ['namesNothing', LOGO]);
    expect(await ownerOf(file)).toBeNull();
    await put({});
    meanwhile(organizations, 'update', takeAway);
    expect((await put({ description: 'Ours' })).status).toBe(200);
    expect(await shown()).toMatchObject({ description: 'Ours', [LOGO]: file._id });
    expect(await ownerOf(file)).toBe(record._id);
  });

  it('the logo becomes another: it is taken away all the same', async () => {
    const theirs = await uploaded(second);
    meanwhile(organizations, 'update', () => put({ [LOGO]: theirs._id }, {}, second));
    expect((await put({ [LOGO]: null, featuredApiIds: [] })).status).toBe(200);
    expect(await shown()).toMatchObject({ [LOGO]: null, featuredApiIds: [] });
    expect(await Promise.all([file, theirs].map(ownerOf))).toEqual([null, null]);
  });
});
