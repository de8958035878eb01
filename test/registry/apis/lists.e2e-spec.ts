import type { ApiDto } from '../../../src/registry/apis/api.dto';
import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import { Client } from '../../support/client';
import { addManager, createOrganization, idsOf } from '../../support/records';
import { useService } from '../../support/service';
import { createApi } from './api-records';

const service = useService();
let callers: Record<'manager' | 'second' | 'other' | 'account' | 'admin', Client>;
let organization: OrganizationDto;
let elsewhere: OrganizationDto;
let apis: Record<'open' | 'closed' | 'otherOpen' | 'otherClosed', ApiDto>;

beforeAll(async () => {
  const [manager, second, other, account] = (await service.accountsOf(4)) as [Client, Client, Client, Client];
  callers = { manager, second, other, account, admin: service.admin };
  organization = await createOrganization(manager);
  await addManager(manager, organization._id, second.id);
  elsewhere = await createOrganization(other);
  apis = {
    open: await createApi(manager, organization._id, {
      isPublic: true,
      name: 'Ärm',
      tags: ['net', 'sea'],
      lifecycleStatus: 'production',
    }),
    closed: await createApi(manager, organization._id, {
      url: 'https://arm.example/ÄRM',
      tags: ['net-tackle'],
      lifecycleStatus: 'testing',
    }),
    otherOpen: await createApi(other, elsewhere._id, { isPublic: true, description: 'with ärms', tags: ['sea'] }),
    otherClosed: await createApi(other, elsewhere._id, { name: 'ÄRM' }),
  };
});

type Name = keyof typeof apis;
type Caller = keyof typeof callers;

async function found(caller: Caller, path: string): Promise<string[]> {
  const names = Object.entries(apis).map(([name, { _id }]) => [_id, name] as const);
  return idsOf(await callers[caller].get(path)).map((id) => new Map(names).get(id) ?? id);
}

const ALL: Name[] = ['open', 'closed', 'otherOpen', 'otherClosed'];
const VISIBLE: [Caller, Name[]][] = [
  ['manager', ['open', 'closed', 'otherOpen']],
  ['second', ['open', 'closed', 'otherOpen']],
  ['other', ['open', 'otherOpen', 'otherClosed']],
  ['account', ['open', 'otherOpen']],
  ['admin', ALL],
];

describe.each(VISIBLE)('the APIs that %s may see', (caller, visible) => {
  const ofOrganization = visible.filter((name) => name === 'open' || name === 'closed');

  it('are in GET /apis, in the order of their ids, and counted, also of those that `id` names', async () => {
    const all = Object.values(apis).map(({ _id }) => _id);
    for (const query of ['', `?id=${all.toReversed().join()}`])
      expect(await found(caller, `/apis${query}`)).toEqual(visible);
    const { headers } = await callers[caller].get('/apis?limit=1', { prefer: 'count=exact' });
    expect(headers['x-total-count']).toBe(String(visible.length));
  });

  it('are the same below their Organization and with a filter', async () => {
    expect(await found(caller, `/organizations/${organization._id}/apis`)).toEqual(ofOrganization);
    expect(await found(caller, `/apis?organizationId=${organization._id}`)).toEqual(ofOrganization);
    for (const name of ALL)
      expect(await found(caller, `/apis?slug=${apis[name].slug}`)).toEqual(visible.includes(name) ? [name] : []);
  });
});

describe('GET /apis', () => {
  it('finds by the name as uniqueness compares it, which two Organizations may have given', async () => {
    expect(await found('admin', '/apis?name=%C3%A4rm')).toEqual(['open', 'otherClosed']);
    expect(await found('account', '/apis?name=%C3%A4rm')).toEqual(['open']);
    expect(await found('admin', `/organizations/${elsewhere._id}/apis?name=%C3%A4rm`)).toEqual(['otherClosed']);
  });

  it('finds by a filter and by q only what the caller may see', async () => {
    for (const query of ['lifecycleStatus=testing', 'tag=net-tackle', 'q=T-TACK']) {
      expect(await found('admin', `/apis?${query}`)).toEqual(['closed']);
      expect(await found('account', `/apis?${query}`)).toEqual([]);
    }
    expect(await found('account', '/apis?tag=sea')).toEqual(['open', 'otherOpen']);
  });
});
