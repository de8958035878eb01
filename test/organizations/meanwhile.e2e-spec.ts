import { Transactions } from '../../src/database/transactions';
import type { OrganizationDto } from '../../src/organizations/organization.dto';
import { OrganizationDeletionService } from '../../src/organizations/organization-deletion.service';
import { OrganizationReferences } from '../../src/organizations/organization-references';
import { Organization } from '../../src/organizations/organization.schema';
import { OrganizationsService } from '../../src/organizations/organizations.service';
import { createApi } from '../apis/api-records';
import { uploaded } from '../files/uploads';
import { ApiResponse, Client } from '../support/client';
import { expectFailure } from '../support/expect-error';
import { afterwards, meanwhile } from '../support/meanwhile';
import { addManager, createOrganization, organizationBody } from '../support/records';
import { Service, startService } from '../support/service';

let service: Service;
let organizations: OrganizationsService;
let transactions: Transactions;
let founder: Client;
let second: Client;
let record: OrganizationDto;
let path: string;
beforeAll(async () => {
  service = await startService();
  organizations = service.app.get(OrganizationsService);
  transactions = service.app.get(Transactions);
  [founder, second] = [await service.account(), await service.account()];
});
afterAll(() => service.stop());
beforeEach(async () => {
  const { _id } = await createOrganization(founder);
  path = `/organizations/${_id}`;
  await addManager(founder, _id, second.id);
  record = (await founder.get(path)).body as OrganizationDto;
});
afterEach(() => jest.restoreAllMocks());

const stored = (): Promise<Organization | null> =>
  service.model<Organization>('Organization').findById(record._id).lean();
const named = (name: unknown): Promise<number> => service.model('Organization').countDocuments({ name });
const describeIt = (description: string): Promise<ApiResponse> => second.put(path, { ...record, description });
const removeFounder = (): Promise<ApiResponse> => second.delete(`${path}/managers/${founder.id}`);
const remove = (): Promise<ApiResponse> => second.delete(path);
/** Another name, and one that makes the same slug. */
const names = (): [string, string] => [`${record.name} renamed`, `${record.name}: renamed!`];

describe('POST /organizations, when after its judgement', () => {
  it('the caller is deleted: there is no such account, and no Organization', async () => {
    const leaver = await service.account();
    const body = organizationBody();
    meanwhile(organizations, 'create', () => service.admin.delete(`/users/${leaver.id}`));
    expectFailure(await leaver.post('/organizations', body), 'accountGone');
    expect(await named(body.name)).toBe(0);
  });

  it('the caller is deleted, and with them the file that was to be the logo: there is no such account', async () => {
    const leaver = await service.account();
    const body = organizationBody({ organizationLogoFileId: (await uploaded(leaver))._id });
    meanwhile(organizations, 'create', () => service.admin.delete(`/users/${leaver.id}`));
    expectFailure(await leaver.post('/organizations', body), 'accountGone');
    expect(await named(body.name)).toBe(0);
  });

  it('the name is taken: it is refused, and the file stays no logo', async () => {
    const file = await uploaded(founder);
    const [name] = names();
    meanwhile(transactions, 'run', () => createOrganization(second, { name: name.toUpperCase() }));
    const body = organizationBody({ name, organizationLogoFileId: file._id });
    expectFailure(await founder.post('/organizations', body), 'organizationNameTaken');
    expect(await named(name)).toBe(0);
    expect(await service.model('File').countDocuments({ _id: file._id, organizationId: null })).toBe(1);
  });

  it('the slug is taken: it gets the next one', async () => {
    const [name, same] = names();
    meanwhile(transactions, 'run', () => createOrganization(second, { name: same }));
    const { slug, friendlySlugs } = await createOrganization(founder, { name });
    expect(slug).toBe(`${friendlySlugs.slug.base}-1`);
  });
});

describe('PUT /organizations/:id, when after its judgement', () => {
  const put = (fields: object, headers = {}): Promise<ApiResponse> =>
    founder.put(path, { ...record, ...fields }, headers);
  const changes: [string, () => object][] = [
    ['another description', () => ({ description: 'Ours' })],
    ['another name', () => ({ name: names()[0] })],
  ];

  describe.each(changes)('and with %s', (_title, change) => {
    it('somebody else changes it: the last write wins', async () => {
      meanwhile(organizations, 'update', () => describeIt('Theirs'));
      const answer = await put(change());
      expect(answer).toMatchObject({ status: 200, headers: { etag: '"1-3"' }, body: { data: change() } });
      expect(await stored()).toMatchObject({ description: '', revision: 3, ...change() });
    });

    it('somebody else changes it: an If-Match of before is refused, and theirs stays', async () => {
      meanwhile(organizations, 'update', () => describeIt('Theirs'));
      expectFailure(await put(change(), { 'if-match': '"1-1"' }), 'preconditionFailed');
      expect(await stored()).toMatchObject({ name: record.name, description: 'Theirs', revision: 2 });
    });

    it('somebody joins: they stay, and it is changed', async () => {
      const joiner = await service.account();
      meanwhile(organizations, 'update', () => addManager(second, record._id, joiner.id));
      const { data } = (await put(change())).body;
      expect(data).toMatchObject({ ...change(), managerIds: [founder.id, second.id, joiner.id] });
      expect((await founder.get(path)).body).toEqual(data);
    });

    it('the caller is removed: they may change nothing', async () => {
      meanwhile(organizations, 'update', removeFounder);
      expectFailure(await put(change(), { 'if-match': '"1-1"' }), 'forbidden');
      expect(await stored()).toMatchObject({ name: record.name, description: '', revision: 2 });
    });

    it.each([
      ['before its references are judged', () => meanwhile(organizations, 'update', remove)],
      ['after that', () => afterwards(service.app.get(OrganizationReferences), 'check', remove)],
    ])('it is deleted %s: it is not there', async (_moment, arrange) => {
      arrange();
      expectFailure(await put(change(), { 'if-match': '"1-1"' }), 'organizationNotFound');
      expect(await stored()).toBeNull();
    });
  });

  it('it is deleted, and is to be renamed: it is not there, and is not put back', async () => {
    meanwhile(transactions, 'attempt', remove);
    expectFailure(await put({ name: names()[0] }), 'organizationNotFound');
    expect(await stored()).toBeNull();
  });

  it('somebody else makes the same change: nothing is left to do', async () => {
    meanwhile(organizations, 'update', () => describeIt('Ours'));
    const answer = await put({ description: 'Ours' });
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"1-2"' }, body: { data: { description: 'Ours' } } });
    expect(await stored()).toMatchObject({ description: 'Ours', revision: 2 });
  });

  it('somebody else renames it: it is found by that name’s slug, too', async () => {
    const [theirs, ours] = [`${record.name} of theirs`, `${record.name} of ours`];
    meanwhile(organizations, 'update', () => second.put(path, { ...record, name: theirs }));
    expect((await put({ name: ours })).body.data).toMatchObject({ name: ours, slug: `${record.slug}-of-ours` });
    const slugs = (await stored())?.slugs.map(({ text }) => text);
    expect(slugs).toEqual([record.slug, `${record.slug}-of-theirs`, `${record.slug}-of-ours`]);
  });

  it('the name is taken: it is refused, and nothing changes', async () => {
    const [name] = names();
    const before = await stored();
    meanwhile(transactions, 'attempt', () => createOrganization(second, { name: name.toUpperCase() }));
    expectFailure(await put({ name }), 'organizationNameTaken');
    expect(await stored()).toEqual(before);
  });

  it('the slug is taken: it gets the next one', async () => {
    const [name, same] = names();
    meanwhile(transactions, 'attempt', () => createOrganization(second, { name: same }));
    const { slug, friendlySlugs } = (await put({ name })).body.data as OrganizationDto;
    expect(slug).toBe(`${friendlySlugs.slug.base}-1`);
    expect((await stored())?.slugs.map(({ text }) => text)).toEqual([record.slug, slug]);
  });
});

describe('DELETE /organizations/:id, when after its judgement', () => {
  const meanwhileDeleting = (event: () => Promise<unknown>): void =>
    meanwhile(service.app.get(OrganizationDeletionService), 'remove', event);

  it.each([
    ['without If-Match', {}],
    ['with any', { 'if-match': '*' }],
  ])('somebody else changes it: it goes all the same, %s', async (_title, headers) => {
    meanwhileDeleting(() => describeIt('Theirs'));
    expect((await founder.delete(path, headers)).status).toBe(204);
    expect(await stored()).toBeNull();
  });

  it('somebody else changes it: an If-Match of before keeps it, with its Apis', async () => {
    const api = await createApi(founder, record._id);
    meanwhileDeleting(() => describeIt('Theirs'));
    expectFailure(await founder.delete(path, { 'if-match': '"1-1"' }), 'preconditionFailed');
    expect(await stored()).toMatchObject({ description: 'Theirs', revision: 2 });
    expect((await founder.get(`/apis/${api._id}`)).body).toEqual(api);
  });

  it('somebody else deletes it: it is not there', async () => {
    meanwhileDeleting(remove);
    expectFailure(await founder.delete(path, { 'if-match': '"1-1"' }), 'organizationNotFound');
  });

  it('the caller is removed: they may not delete it', async () => {
    meanwhileDeleting(removeFounder);
    expectFailure(await founder.delete(path, { 'if-match': '"1-1"' }), 'forbidden');
    expect(await stored()).toMatchObject({ revision: 2 });
  });

  it('it gets an Api: the Api goes with it', async () => {
    meanwhileDeleting(() => createApi(second, record._id));
    expect((await founder.delete(path)).status).toBe(204);
    expect(await service.model('Api').countDocuments({ organizationId: record._id })).toBe(0);
  });

  it('it gets another logo: that one goes with it, and the former stays its uploader’s', async () => {
    const [former, other] = [await uploaded(founder), await uploaded(second)];
    await founder.put(path, { ...record, organizationLogoFileId: former._id });
    meanwhileDeleting(() => second.put(path, { ...record, organizationLogoFileId: other._id }));
    expect((await founder.delete(path)).status).toBe(204);
    const left = await service.model('File').find({ _id: { $in: [former._id, other._id] } });
    expect(left).toMatchObject([{ id: former._id, organizationId: null }]);
  });
});
