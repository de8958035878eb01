import type { OrganizationDto } from '../../../src/registry/organizations/organization.dto';
import { Organization } from '../../../src/registry/organizations/organization.schema';
import { ApiResponse, Client } from '../../support/client';
import { Expected, expectOutcome } from '../../support/expect-error';
import { meanwhile, MOMENTS } from '../../support/meanwhile';
import { addManager, createOrganization, newManager } from '../../support/records';
import { useService } from '../../support/service';

const service = useService();
let founder: Client;
let second: Client;
let joiner: Client;
let other: Client;
let record: OrganizationDto;
let path: string;
beforeEach(async () => {
  [founder, joiner, other] = [await service.account(), await service.account(), await service.account()];
  record = await createOrganization(founder);
  path = `/organizations/${record._id}/managers`;
  second = await newManager(service, record._id);
});

const managers = async (): Promise<string[]> => {
  const stored = await service.stored<Organization>('Organization', record._id);
  return stored?.managers.map(({ _id }) => _id.toHexString()) ?? [];
};
const add = (fields: object = { userId: joiner.id }): Promise<ApiResponse> => founder.post(path, fields);
const join = (client: Client): Promise<void> => addManager(second, record._id, client.id);
const remove = (manager: Client, caller = second, headers = {}): Promise<ApiResponse> =>
  caller.delete(`${path}/${manager.id}`, headers);
const removeSecond = (): Promise<ApiResponse> => remove(second, founder);
const removeUser = ({ id }: Client): Promise<ApiResponse> => service.admin.delete(`/users/${id}`);
const removeOrganization = (): Promise<ApiResponse> => second.delete(`/organizations/${record._id}`);

const two = (): Client[] => [founder, second];

type Row = [
  title: string,
  request: () => Promise<ApiResponse>,
  event: () => Promise<unknown>,
  expected: Expected,
  left: () => Client[],
];

const rows: Row[] = [
  ['POST: another adds the same User: added once', add, () => join(joiner), 'managerExists', () => [...two(), joiner]],
  ['POST: another adds another User: both are added', add, () => join(other), 201, () => [...two(), other, joiner]],
  ['POST: the caller is removed: they may add nobody', add, () => remove(founder), 'forbidden', () => [second]],
  ['DELETE: the Manager leaves: not found', removeSecond, () => remove(second), 'managerNotFound', () => [founder]],
  ['DELETE: the other leaves: refused', () => remove(second), () => remove(founder), 'lastManager', () => [second]],
  [
    'DELETE: the other is deleted: refused',
    () => remove(second),
    () => removeUser(founder),
    'lastManager',
    () => [second],
  ],
  ['DELETE: the caller is removed: forbidden', removeSecond, () => remove(founder), 'forbidden', () => [second]],
];

describe.each(MOMENTS)('%s', (moment) => {
  it.each(rows)('of %s', async (_title, request, event, expected, left) => {
    expectOutcome(await meanwhile(service, moment, event, request), expected);
    expect(await managers()).toEqual(left().map(({ id }) => id));
  });

  it.each([
    ['username', () => joiner.user.username],
    ['email', () => joiner.user.email],
  ] as const)('of POST: the User, named by %s, is deleted: it names nobody', async (field, name) => {
    const request = (): Promise<ApiResponse> => add({ [field]: name() });
    expectOutcome(await meanwhile(service, moment, () => removeUser(joiner), request), ['namesNothing', field]);
    expect(await managers()).toEqual([founder.id, second.id]);
  });
});

describe('after the guards', () => {
  it('of DELETE: the User changes: If-Match refuses it', async () => {
    const tag = (await founder.get(`${path}/${second.id}`)).headers.etag;
    const change = (): Promise<ApiResponse> => second.put(`/users/${second.id}`, second.userBody({ companyName: 'X' }));
    const request = (): Promise<ApiResponse> => remove(second, founder, { 'if-match': tag });
    expectOutcome(await meanwhile(service, 'after the guards', change, request), 'preconditionFailed');
    expect(await managers()).toEqual([founder.id, second.id]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['the Manager leaves', () => remove(second)],
    ['the User is deleted', () => removeUser(second)],
    ['the Organization is deleted', removeOrganization],
  ])('of GET of one: %s: not found', async (_title, event) => {
    const request = (): Promise<ApiResponse> => founder.get(`${path}/${second.id}`);
    expectOutcome(await meanwhile(service, 'after the guards', event, request), 'managerNotFound');
  });
});
