import { brokenInvariants } from '../../support/broken-invariants';
import type { ApiResponse, Client } from '../../support/client';
import { organizationBody } from '../../support/records';
import { useService } from '../../support/service';
import { fillManaged } from '../managers/fill';

const a = useService({ ORGANIZATIONS_PER_USER: '0' });
const b = useService({ ORGANIZATIONS_PER_USER: '0', MONGODB_URI: a.databaseUri });

/** Twenty creations at once, by one account at both instances. */
const createAtOnce = ({ token }: Client): Promise<ApiResponse[]> => {
  const headers = { authorization: `Bearer ${token}` };
  const creations = Array.from({ length: 20 }, (_, number) =>
    (number % 2 ? a : b).nobody.send({ method: 'POST', path: '/organizations', headers, payload: organizationBody() }),
  );
  return Promise.all(creations);
};
const created = (responses: ApiResponse[]): number => responses.filter(({ status }) => status === 201).length;
const managed = ({ id }: Client): Promise<number> => a.model('Organization').countDocuments({ 'managers._id': id });

describe('one account that creates Organizations at two instances at once', () => {
  it('creates each of those for which it gets 201, and no other', async () => {
    const account = await a.account();
    const responses = await createAtOnce(account);
    expect(created(responses)).toBeGreaterThan(0);
    expect(await managed(account)).toBe(created(responses));
    for (const { status, body } of responses) if (status !== 201) expect(body).toMatchObject({ code: 1510 });
    expect(await brokenInvariants(a)).toBe('');
  });

  it('is deleted meanwhile, or is the last Manager of what it has created: no Manager is gone', async () => {
    const account = await a.account();
    const creating = createAtOnce(account);
    const { status, body } = await a.admin.delete(`/users/${account.id}`);
    const count = created(await creating);
    expect(status === 204 ? 'deleted' : body.code).toBe(count === 0 ? 'deleted' : 1506);
    expect(await managed(account)).toBe(count);
    expect(await brokenInvariants(a)).toBe('');
  });

  it('uses no right that it loses while a creation waits for the others', async () => {
    const account = await a.account({ roles: ['admin'] });
    const creating = Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        account.post('/organizations', organizationBody({ externalId: `crm-${account.id}-${number}` })),
      ),
    );
    expect((await a.admin.put(`/users/${account.id}`, account.userBody({ roles: [] }))).status).toBe(200);
    const statuses = (await creating).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 201 && status !== 403)).toEqual([]);
    const { body } = await a.admin.get(`/events?resourceId=${account.id}`);
    const types = (body.data as { type: string }[]).map(({ type }) => type).filter((type) => type !== 'user.created');
    // The latest first.
    const creations = statuses.filter((status) => status === 201).map(() => 'manager.created');
    expect(types).toEqual(['user.updated', ...creations]);
  });

  it('gets as far as its limit of 1,000, and not further', async () => {
    const account = await a.account();
    await fillManaged(a, account, 990);
    let responses: ApiResponse[] = [];
    for (let round = 0; round < 5 && (await managed(account)) < 1000; round += 1)
      responses = [...responses, ...(await createAtOnce(account))];
    expect([await managed(account), created(responses)]).toEqual([1000, 10]);
    expect(created(await createAtOnce(account))).toBe(0);
  });
});
