import type { OrganizationDto } from '../../src/organizations/organization.dto';
import { Organization } from '../../src/organizations/organization.schema';
import { Client } from '../support/client';
import { expectFailure } from '../support/expect-error';
import { addManager, createOrganization, NOTHING } from '../support/records';
import { Service, startService } from '../support/service';

let service: Service;
let founder: Client;
let second: Client;
let record: OrganizationDto;
let path: string;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  [founder, second] = await Promise.all([service.account(), service.account()]);
  record = await createOrganization(founder);
  path = `/organizations/${record._id}/managers`;
  await addManager(founder, record._id, second.id);
});

const managers = async (): Promise<string[]> =>
  (await service.model<Organization>('Organization').findById(record._id).lean())?.managers.map(({ _id }) =>
    _id.toHexString(),
  ) ?? [];

describe('DELETE /organizations/:id/managers/:managerId', () => {
  it('removes the Manager, who may do nothing more from the very next request', async () => {
    const answer = await founder.delete(`${path}/${second.id}`);
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(await managers()).toEqual([founder.id]);
    expectFailure(await second.get(path), 'forbidden');
    expectFailure(await founder.get(`${path}/${second.id}`), 'managerNotFound');
    expectFailure(await founder.delete(`${path}/${second.id}`), 'managerNotFound');
    expect((await service.admin.get(`/users/${second.id}`)).status).toBe(200);
  });

  it('changes the Organization', async () => {
    const before = await founder.get(`/organizations/${record._id}`);
    await founder.delete(`${path}/${second.id}`);
    const after = await founder.get(`/organizations/${record._id}`);
    expect([before.headers.etag, after.headers.etag]).toEqual(['"1-1"', '"1-2"']);
    expect(after.body.managerIds).toEqual([founder.id]);
    expect(Date.parse(after.body.updatedAt)).toBeGreaterThan(Date.parse(before.body.updatedAt));
  });

  it('is for Managers, themselves and others, and for Admins', async () => {
    const stranger = await service.account();
    expectFailure(await stranger.delete(`${path}/${second.id}`), 'forbidden');
    expect(await managers()).toEqual([founder.id, second.id]);
    expect((await founder.delete(`${path}/${founder.id}`)).status).toBe(204);
    await addManager(service.admin, record._id, founder.id);
    expect((await service.admin.delete(`${path}/${second.id}`)).status).toBe(204);
    expect(await managers()).toEqual([founder.id]);
  });

  it('keeps the last one', async () => {
    await founder.delete(`${path}/${founder.id}`);
    for (const client of [second, service.admin])
      expectFailure(await client.delete(`${path}/${second.id}`), 'lastManager');
    expect(await managers()).toEqual([second.id]);
  });

  it('compares If-Match with what GET shows this caller', async () => {
    const tag = (await founder.get(`${path}/${second.id}`)).headers.etag ?? '';
    for (const stale of ['"1-1"', `W/${tag}`]) {
      expectFailure(await founder.delete(`${path}/${second.id}`, { 'if-match': stale }), 'preconditionFailed');
    }
    expect(await managers()).toEqual([founder.id, second.id]);
    expect((await founder.delete(`${path}/${second.id}`, { 'if-match': tag })).status).toBe(204);
  });

  it('judges If-Match before it keeps the last one', async () => {
    await founder.delete(`${path}/${founder.id}`);
    const answer = await second.delete(`${path}/${second.id}`, { 'if-match': '"x"' });
    expectFailure(answer, 'preconditionFailed');
  });

  it('looks for both before it looks at rights', async () => {
    const stranger = await service.account();
    expectFailure(await stranger.delete(`${path}/${NOTHING}`), 'managerNotFound');
    expectFailure(await stranger.delete(`/organizations/${NOTHING}/managers/${second.id}`), 'organizationNotFound');
  });

  it('leaves one of two who go at once', async () => {
    const answers = await Promise.all([founder, second].map((client) => client.delete(`${path}/${client.id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(await managers()).toHaveLength(1);
  });
});
