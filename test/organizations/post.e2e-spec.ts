import { Organization } from '../../src/organizations/organization.schema';
import { User } from '../../src/users/user.schema';
import { ApiResponse, Client } from '../support/client';
import { expectFailure } from '../support/expect-error';
import { createOrganization, etag, organizationBody } from '../support/records';
import { Service, startService } from '../support/service';

let service: Service;
let account: Client;
beforeAll(async () => {
  service = await startService();
  account = await service.account();
});
afterAll(() => service.stop());

const create = (fields?: object): Promise<ApiResponse> => account.post('/organizations', organizationBody(fields));

describe('POST /organizations', () => {
  it('creates an Organization with its creator as the first Manager', async () => {
    const fields = { name: 'Nets', url: 'https://nets.example/a?b#c', description: 'We make\nnets.' };
    const response = await account.post('/organizations', fields);
    const { _id, createdAt, ...rest } = response.body.data;
    expect(response).toMatchObject({ status: 201, headers: { location: `/organizations/${_id}`, etag: etag(0) } });
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
    expect((await account.get(`/organizations/${_id}`)).body).toEqual(response.body.data);
  });

  it('stores keys for uniqueness and search, and the Manager, and leaves the User as they are', async () => {
    const { _id } = await createOrganization(account, { name: 'Straße', description: 'ΣΊΣΥΦΟΣ' });
    const user = await service.stored<User>('User', account.id);
    expect(await service.stored<Organization>('Organization', _id)).toMatchObject({
      nameKey: 'strasse',
      searchText: 'strasse\nhttps://nets.example\nσίσυφοσ',
      managers: [{ _id: user?._id, createdBy: user?._id, createdAt: expect.any(Date) }],
      revision: 0,
      apiCount: 0,
    });
    expect(user).toMatchObject({ revision: 0, updatedAt: new Date(account.user.updatedAt) });
  });

  it('refuses a name that is taken, without regard to case, width and composition', async () => {
    await createOrganization(account, { name: 'Ŧaken Ångström' });
    const count = await service.model('Organization').countDocuments();
    for (const name of ['Ŧaken Ångström', 'ŧAKEN ÅNGSTRÖM', 'Ŧaken A\u030angstro\u0308m', ' ŧａｋｅｎ Ångström ']) {
      expectFailure(await create({ name }), 'organizationNameTaken');
    }
    expect(await service.model('Organization').countDocuments()).toBe(count);
  });
});
