import type { OrganizationDto } from '../../src/organizations/organization.dto';
import type { Organization } from '../../src/organizations/organization.schema';
import { Client } from '../support/client';
import { expectFailure, expectFaults } from '../support/expect-error';
import { createOrganization, NOTHING, organizationBody } from '../support/records';
import { Service, startService } from '../support/service';
import { apiBody, createApi, storedApi, storedOrganization } from './api-records';

let service: Service;
let manager: Client;
let organization: OrganizationDto;
let path: string;
beforeAll(async () => {
  service = await startService();
  manager = await service.account();
});
afterAll(() => service.stop());
beforeEach(async () => {
  organization = await createOrganization(manager);
  path = `/organizations/${organization._id}/apis`;
});

describe('POST /organizations/:id/apis', () => {
  it('creates an Api with the defaults of what is left out, and says where it is', async () => {
    const answer = await manager.post(path, { name: ' Net  Sizes ', url: 'https://nets.example' });
    const { _id, createdAt } = answer.body.data;
    const given = { name: 'Net  Sizes', url: 'https://nets.example' };
    const defaults = { description: '', lifecycleStatus: 'design', isPublic: false, documentationUrl: null };
    const slugs = { slug: 'net-sizes', friendlySlugs: { slug: { base: 'net-sizes', index: 0 } } };
    const made = { _id, organizationId: organization._id, createdBy: manager.id, createdAt, updatedAt: createdAt };
    expect(answer).toMatchObject({ status: 201, headers: { location: `/apis/${_id}`, etag: '"1-0"' } });
    expect(answer.body).toEqual({ status: 'success', data: { ...given, ...defaults, ...slugs, ...made } });
    expect(await storedApi(service, answer.body.data)).toMatchObject({
      ...given,
      ...defaults,
      nameKey: 'net  sizes',
      searchText: 'net  sizes\nhttps://nets.example\n',
      slugs: [{ text: 'net-sizes', base: 'net-sizes', index: 0 }],
      revision: 0,
      referenceCount: 0,
    });
    expect((await manager.get(`/apis/${_id}`)).body).toEqual(answer.body.data);
  });

  it('takes every field, and counts the Api without changing what the Organization shows', async () => {
    const fields = {
      description: 'a\nb',
      lifecycleStatus: 'testing',
      isPublic: true,
      documentationUrl: 'http://d.example',
    };
    expect(await createApi(manager, organization._id, fields)).toMatchObject(fields);
    expect(await storedOrganization(service, organization)).toMatchObject({ apiCount: 1, revision: 0 });
  });

  it('names all faults in the order of the model', async () => {
    const body = { zzz: 1, documentationUrl: 'x', isPublic: 'true', lifecycleStatus: 'dead', description: 5, url: ' ' };
    expectFaults(
      await manager.post(path, body),
      ['missing', 'name'],
      ['blank', 'url'],
      ['wrongType', 'description'],
      ['notOneOf', 'lifecycleStatus'],
      ['wrongType', 'isPublic'],
      ['badFormat', 'documentationUrl'],
      ['unknownField', 'zzz'],
    );
    expect(await storedOrganization(service, organization)).toMatchObject({ apiCount: 0 });
  });

  it.each([
    [{ name: 'x'.repeat(255) }, undefined],
    [{ name: 'x'.repeat(256) }, 'tooLong'],
    [{ name: 'a\u200bb' }, 'forbiddenCharacters'],
    [{ url: 'ftp://nets.example' }, 'badFormat'],
    [{ description: '😀'.repeat(1000) }, undefined],
    [{ description: '😀'.repeat(1001) }, 'tooLong'],
    [{ lifecycleStatus: 'Design' }, 'notOneOf'],
    [{ lifecycleStatus: 5 }, 'wrongType'],
    [{ isPublic: 1 }, 'wrongType'],
    [{ documentationUrl: 5 }, 'wrongType'],
    [{ documentationUrl: `https://nets.example/${'x'.repeat(2027)}` }, undefined],
    [{ documentationUrl: `https://nets.example/${'x'.repeat(2028)}` }, 'tooLong'],
  ] as const)('judges each field at its bounds: %.60j', async (fields, fault) => {
    const answer = await manager.post(path, apiBody(fields));
    if (fault) expectFaults(answer, [fault, Object.keys(fields)[0]!]);
    else expect(answer).toMatchObject({ status: 201, body: { data: fields } });
  });

  it('takes null for left out, and passes over what only the service sets', async () => {
    const nulls = { description: null, lifecycleStatus: null, isPublic: null, documentationUrl: null };
    const readOnly = { _id: NOTHING, organizationId: NOTHING, slug: 'x', friendlySlugs: 1, createdBy: NOTHING };
    const api = await createApi(manager, organization._id, { ...nulls, ...readOnly, createdAt: 1, updatedAt: 1 });
    expect(api).toMatchObject({ description: '', lifecycleStatus: 'design', isPublic: false, documentationUrl: null });
    expect(api).toMatchObject({ organizationId: organization._id, createdBy: manager.id });
  });

  it('refuses a name that the Organization has in another case, and takes it in another Organization', async () => {
    await createApi(manager, organization._id, { name: 'Straße' });
    expectFailure(await manager.post(path, apiBody({ name: 'STRASSE' })), 'apiNameTaken');
    expect(await storedOrganization(service, organization)).toMatchObject({ apiCount: 1 });
    const elsewhere = await createApi(manager, (await createOrganization(manager))._id, { name: 'STRASSE' });
    expect(elsewhere.friendlySlugs.slug).toEqual({ base: 'strasse', index: 1 });
  });

  it('makes slugs unique over all Apis, apart from those of Organizations; a name without letters is "api"', async () => {
    const { slug } = await createOrganization(manager, { name: 'Same' });
    expect(slug).toBe('same');
    expect(await createApi(manager, organization._id, { name: 'Same' })).toMatchObject({ slug: 'same' });
    expect(await createApi(manager, organization._id, { name: 'Same!' })).toMatchObject({ slug: 'same-1' });
    expect(await createApi(manager, organization._id, { name: '!!' })).toMatchObject({ slug: 'api' });
  });

  it('lets an Organization have 1,000 Apis and no more', async () => {
    const organizations = service.model<Organization>('Organization');
    await organizations.updateOne({ _id: organization._id }, { $set: { apiCount: 999 } });
    await createApi(manager, organization._id);
    const full = await manager.post(path, apiBody());
    expectFailure(full, 'tooMany', 'An Organization has at most 1,000 Apis.');
    expect(await service.model('Api').countDocuments({ organizationId: organization._id })).toBe(1);
  });

  it('is for the Managers of the Organization and Admins', async () => {
    const other = await service.account();
    expectFailure(await service.nobody.post(path, apiBody()), 'noCredentials');
    expectFailure(await other.post(path, apiBody()), 'forbidden');
    expectFailure(await other.post(`/organizations/${NOTHING}/apis`, 5), 'organizationNotFound');
    expect(await service.admin.post(path, apiBody())).toMatchObject({ status: 201 });
  });

  it('counts nothing when the Api cannot be written', async () => {
    const lost = jest.spyOn(service.model('Api'), 'create').mockRejectedValueOnce(new Error('lost'));
    expectFailure(await manager.post(path, apiBody()), 'unexpected');
    lost.mockRestore();
    expect(await storedOrganization(service, organization)).toMatchObject({ apiCount: 0, referenceCount: 0 });
  });
});

describe('POST /organizations/:id/apis under BASE_PATH', () => {
  it('says where the Api is below it', async () => {
    const based = await startService({ BASE_PATH: '/registry' });
    const { body } = await based.admin.post('/registry/organizations', organizationBody());
    const answer = await based.admin.post(`/registry/organizations/${body.data._id}/apis`, apiBody());
    expect(answer.headers.location).toBe(`/registry/apis/${answer.body.data._id}`);
    expect(await based.admin.get(answer.headers.location!)).toMatchObject({ status: 200, body: answer.body.data });
    await based.stop();
  });
});
