import { Types } from 'mongoose';
import type { Organization } from '../../src/organizations/organization.schema';
import type { Client } from '../support/client';
import { addManager, createOrganization, etag, organizationBody } from '../support/records';
import type { Service } from '../support/service';
import { expectIndexes, expectOneWinner, races, short, twenty, useRaces } from './race';

let service: Service;
useRaces((started) => (service = started));
let manager: Client;
beforeAll(async () => {
  manager = await service.account();
});

const managersOf = async (id: string): Promise<string[]> =>
  (await service.stored<Organization>('Organization', id))?.managers.map(({ _id }) => String(_id)) ?? [];

describe('of two Managers one stays, when', () => {
  const LAST = '409 1506';
  /** What each of them deletes, as its path. */
  type Deletions = (managers: string, one: Client, other: Client) => [string, string];

  const ways: [title: string, refused: string, deletions: Deletions][] = [
    ['both leave', LAST, (managers, one, other) => [`${managers}/${one.id}`, `${managers}/${other.id}`]],
    [
      'each removes the other',
      '403 1200',
      (managers, one, other) => [`${managers}/${other.id}`, `${managers}/${one.id}`],
    ],
    ['the accounts of both are deleted', LAST, (_, one, other) => [`/users/${one.id}`, `/users/${other.id}`]],
    [
      'one leaves and the account of the other is deleted',
      LAST,
      (managers, one, other) => [`${managers}/${one.id}`, `/users/${other.id}`],
    ],
  ];
  for (const [title, refused, deletions] of ways) {
    races(title, [`204 | ${refused}`, `${refused} | 204`], async () => {
      const [one, other] = (await service.accountsOf(2)) as [Client, Client];
      const { _id } = await createOrganization(one);
      await addManager(one, _id, other.id);
      const [first, second] = deletions(`/organizations/${_id}/managers`, one, other);
      return {
        racers: [() => one.delete(first), () => other.delete(second)],
        check: async () => expect(await managersOf(_id)).toHaveLength(1),
      };
    });
  }
});

races('a User who is deleted while being added is no Manager', ['201 | 204', '400 1024 5012 | 204'], async () => {
  const [{ _id }, added] = [await createOrganization(manager), await service.account()];
  return {
    racers: [
      () => manager.post(`/organizations/${_id}/managers`, { userId: added.id }),
      () => added.delete(`/users/${added.id}`),
    ],
    check: async () => expect(await managersOf(_id)).toEqual([manager.id]),
  };
});

it('twenty who are added at once are Managers if the response said so', async () => {
  const { _id } = await createOrganization(manager);
  const added = await service.accountsOf(20);
  const responses = await twenty((number) =>
    manager.post(`/organizations/${_id}/managers`, { userId: added[number]!.id }),
  );
  const joined = added.filter((__, index) => responses[index]?.status === 201).map(({ id }) => id);
  expect(new Set(await managersOf(_id))).toEqual(new Set([manager.id, ...joined]));
  expect(new Set(responses.map(short))).toEqual(new Set(joined.length < 20 ? ['201', '409 1510'] : ['201']));
});

races(
  'a User who is deleted creates no Organization, or stays as its last Manager',
  ['201 | 409 1506', '401 1102 | 204'],
  async () => {
    const founder = await service.account();
    return {
      racers: [() => founder.post('/organizations', organizationBody()), () => founder.delete(`/users/${founder.id}`)],
      check: async ([created]) => {
        const createdBy = new Types.ObjectId(founder.id);
        const count = await service.model('Organization').countDocuments({ createdBy });
        expect(count).toBe(created?.status === 201 ? 1 : 0);
      },
    };
  },
);

it('of twenty PUTs with the same If-Match one is applied', async () => {
  const { _id } = await createOrganization(manager);
  for (let revision = 0; revision < 3; revision += 1) {
    const responses = await twenty(() =>
      manager.put(`/organizations/${_id}`, organizationBody(), { 'if-match': etag(revision) }),
    );
    expectOneWinner(responses, '200', '412 1600');
  }
});

it.each([
  ['one User', () => Promise.resolve(Array<Client>(20).fill(manager))],
  ['twenty Users', () => service.accountsOf(20)],
])('twenty with one slug base, by %s, are all created, with slugs of their own', async (title, founders) => {
  const clients = await founders();
  const responses = await twenty((number) =>
    clients[number]!.post('/organizations', organizationBody({ name: `Of ${title}${'!'.repeat(number)}` })),
  );
  expectIndexes(responses);
});
