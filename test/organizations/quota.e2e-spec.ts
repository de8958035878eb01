import type { Client } from '../support/client';
import { expectError } from '../support/expect-error';
import { createOrganization, organizationBody } from '../support/records';
import { useService } from '../support/service';

const service = useService({ ORGANIZATIONS_PER_USER: '3' });
let user: Client;
beforeEach(async () => {
  user = await service.account();
});

const create = (by = user) => by.post('/organizations', organizationBody());
const count = (by = user) => service.model('Organization').countDocuments({ createdBy: by.id });

describe('ORGANIZATIONS_PER_USER', () => {
  it('counts the Organizations that a User created and that still exist', async () => {
    const first = await createOrganization(user);
    for (let created = 1; created < 3; created += 1) await createOrganization(user);
    expectError(await create(), 'tooMany', 'You have reached your limit of 3 Organizations.');
    await user.delete(`/organizations/${first._id}`);
    expect((await create()).status).toBe(201);
    expectError(await create(), 'tooMany', expect.anything());
    expect(await count()).toBe(3);
  });

  it('holds for requests at the same time', async () => {
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => create()))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(3);
    expect(await count()).toBe(statuses.filter((status) => status === 201).length);
  });

  it('does not hold for Admins', async () => {
    for (let created = 0; created < 5; created += 1) expect((await create(service.admin)).status).toBe(201);
  });
});
