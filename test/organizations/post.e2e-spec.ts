import { Organization } from '../../src/organizations/organization.schema';
import { User } from '../../src/users/user.schema';
import { ApiResponse, Client } from '../support/client';
import { expectFailure, expectFaults } from '../support/expect-error';
import { createOrganization, NOTHING, organizationBody } from '../support/records';
import { Service, startService } from '../support/service';

let service: Service;
let account: Client;
beforeAll(async () => {
  service = await startService();
  account = await service.account();
});
afterAll(() => service.stop());

const create = (fields?: object): Promise<ApiResponse> => account.post('/organizations', organizationBody(fields));
const stored = (_id: unknown): Promise<Organization | null> =>
  service.model<Organization>('Organization').findById(_id).lean();

describe('POST /organizations', () => {
  it('creates an Organization, whose first Manager is its creator', async () => {
    const fields = { name: 'Nets', url: 'https://nets.example/a?b#c', description: 'We make\nnets.' };
    const answer = await account.post('/organizations', fields);
    const { _id, createdAt, ...rest } = answer.body.data;
    expect(answer).toMatchObject({ status: 201, headers: { location: `/organizations/${_id}`, etag: '"1-0"' } });
    expect(rest).toEqual({
      ...fields,
      slug: 'nets',
      friendlySlugs: { slug: { base: 'nets', index: 0 } },
      managerIds: [account.id],
      createdBy: account.id,
      organizationLogoFileId: null,
      featuredApiIds: [],
      updatedAt: createdAt,
    });
    expect((await account.get(`/organizations/${_id}`)).body).toEqual(answer.body.data);
  });

  it('stores keys for uniqueness and search, and the Manager', async () => {
    const { _id } = await createOrganization(account, { name: 'Straße', description: 'ΣΊΣΥΦΟΣ' });
    const user = await service.model<User>('User').findById(account.id).lean();
    expect(await stored(_id)).toMatchObject({
      nameKey: 'strasse',
      searchText: 'strasse\nhttps://nets.example\nσίσυφοσ',
      managers: [{ _id: user?._id, createdBy: user?._id, createdAt: expect.any(Date) }],
      revision: 0,
      apiCount: 0,
    });
    expect(user).toMatchObject({ revision: 0, updatedAt: new Date(account.user.updatedAt) });
  });

  it('fills in what is left out, null or blank', async () => {
    for (const left of [undefined, null]) {
      const fields = { description: left, featuredApiIds: left, organizationLogoFileId: left };
      const { data } = (await create(fields)).body;
      expect(data).toMatchObject({ description: '', featuredApiIds: [], organizationLogoFileId: null });
    }
    expect((await create({ description: ' \n ', organizationLogoFileId: '' })).body.data.description).toBe('');
  });

  it('stores text composed and trimmed, with plain line ends, and the URL as sent', async () => {
    const url = ' HTTPS://Nets.Example:443/%7e/../ä ';
    const { data } = (await create({ description: '\u3000Cafe\u0301\r\n\tau lait\u0085', url })).body;
    expect(data).toMatchObject({ description: 'Café\n\tau lait', url: url.trim() });
    expect(await stored(data._id)).toMatchObject({ description: 'Café\n\tau lait', url: url.trim() });
  });

  it('refuses a name that is taken, without regard to case, width and composition', async () => {
    await createOrganization(account, { name: 'Ŧaken Ångström' });
    const count = await service.model('Organization').countDocuments();
    for (const name of ['Ŧaken Ångström', 'ŧAKEN ÅNGSTRÖM', 'Ŧaken A\u030angstro\u0308m', ' ŧａｋｅｎ Ångström ']) {
      expectFailure(await create({ name }), 'organizationNameTaken');
    }
    expect(await service.model('Organization').countDocuments()).toBe(count);
  });

  it('takes read-only fields and passes them over', async () => {
    const given = {
      _id: NOTHING,
      slug: 'x',
      friendlySlugs: 1,
      managerIds: [],
      createdBy: NOTHING,
      createdAt: 'x',
      updatedAt: 1,
    };
    const { data } = (await create({ ...given, name: 'Read only' })).body;
    expect(data).toMatchObject({ slug: 'read-only', managerIds: [account.id], createdBy: account.id });
    expect(data._id).not.toBe(NOTHING);
  });

  it('names all faults at once, in the order of the fields, unknown ones last', async () => {
    const featuredApiIds = [NOTHING, 'x'];
    const faulty = { __proto__x: 1, $set: {}, organizationLogoFileId: 'x', featuredApiIds, description: 1, name: '' };
    expectFaults(
      await account.post('/organizations', faulty),
      ['blank', 'name'],
      ['missing', 'url'],
      ['wrongType', 'description'],
      ['badFormat', 'featuredApiIds.1'],
      ['badFormat', 'organizationLogoFileId'],
      ['unknownField', '__proto__x'],
      ['unknownField', '$set'],
    );
  });

  it.each([
    ['missing', 'name', null],
    ['blank', 'name', '\u3000 \n'],
    ['wrongType', 'name', 1],
    ['wrongType', 'name', { $gt: '' }],
    ['tooLong', 'name', '😀'.repeat(256)],
    ['forbiddenCharacters', 'name', 'a\nb'],
    ['forbiddenCharacters', 'name', 'a\u0000b'],
    ['forbiddenCharacters', 'name', 'a\u200eb'],
    ['blank', 'url', ''],
    ['badFormat', 'url', 'nets.example'],
    ['badFormat', 'url', 'ftp://nets.example'],
    ['badFormat', 'url', 'javascript:alert(1)'],
    ['badFormat', 'url', 'https://ada:secret@nets.example'],
    ['badFormat', 'url', 'https://ne ts.example'],
    ['badFormat', 'url', 'https://'],
    ['tooLong', 'url', `https://nets.example/${'a'.repeat(2028)}`],
    ['tooLong', 'description', 'a'.repeat(1001)],
    ['forbiddenCharacters', 'description', 'a\u0007'],
    ['forbiddenCharacters', 'description', '\udc00'],
    ['wrongType', 'featuredApiIds', NOTHING],
    ['tooManyItems', 'featuredApiIds', ['1', '2', '3', '4', '5'].map((digit) => digit.repeat(24))],
    ['repeatedItem', 'featuredApiIds.1', [NOTHING, NOTHING]],
    ['wrongType', 'featuredApiIds.0', [{ $ne: null }]],
    ['namesNothing', 'featuredApiIds.0', [NOTHING]],
    ['badFormat', 'organizationLogoFileId', NOTHING.toUpperCase()],
    ['namesNothing', 'organizationLogoFileId', NOTHING],
  ] as const)('%s: %s', async (fault, title, value) => {
    const field = title.split('.', 1)[0] ?? '';
    const count = await service.model('Organization').countDocuments();
    expectFaults(await create({ [field]: value }), [fault, title]);
    expect(await service.model('Organization').countDocuments()).toBe(count);
  });

  it.each([
    ['name', '😀'.repeat(255)],
    ['name', 'O’Reilly \u200d\u200c & Sons'],
    ['description', '😀'.repeat(1000)],
    ['description', 'a\tb\u200b\n'.repeat(10).trim()],
    ['url', `https://nets.example/${'a'.repeat(2027)}`],
    ['url', 'http://[::1]:8080'],
  ])('takes the %s %j', async (field, value) => {
    const answer = await create({ [field]: value });
    expect({ status: answer.status, value: answer.body.data?.[field] }).toEqual({ status: 201, value });
  });

  it('is for every account, or with ORGANIZATION_CREATION=admin for Admins', async () => {
    const closed = await startService({ ORGANIZATION_CREATION: 'admin' });
    try {
      const other = await closed.account();
      expectFailure(await other.post('/organizations', organizationBody()), 'forbidden');
      expect(await closed.model('Organization').countDocuments()).toBe(0);
      expect((await closed.admin.post('/organizations', organizationBody())).status).toBe(201);
    } finally {
      await closed.stop();
    }
  });
});
