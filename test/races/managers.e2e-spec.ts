import { Organization } from '../../src/organizations/organization.schema';
import { User } from '../../src/users/user.schema';
import { Service, startService } from '../support/service';
import { expectSoundRegistry } from './invariants';
import { People, Person } from './people';
import { race, rounds, short } from './race';

describe('changes of managers at once', () => {
  let service: Service;
  let people: People;
  let organizationNumber = 0;

  beforeAll(async () => {
    service = await startService();
    people = await People.of(service);
  });
  afterEach(() => expectSoundRegistry(service));
  afterAll(() => service.stop());

  /** An Organization of these managers; gives its path. */
  async function organizationOf(first: Person, ...others: Person[]): Promise<string> {
    const name = `Organization ${(organizationNumber += 1)}`;
    const { body } = await first.post('/organizations', { name, url: 'https://roster.example' });
    const path = `/organizations/${body.data._id}`;
    for (const { id } of others) expect((await first.post(`${path}/managers`, { userId: id })).status).toBe(201);
    return path;
  }

  async function managersOf(path: string): Promise<string[]> {
    const id = path.split('/').at(-1);
    const stored = await service.model<Organization>('Organization').findById(id).lean();
    return (stored?.managers ?? []).map(({ _id }) => String(_id));
  }

  async function isThere({ id }: Person): Promise<boolean> {
    return (await service.model<User>('User').exists({ _id: id })) !== null;
  }

  it('one stays, when the last two leave', () =>
    rounds(
      async () => {
        const [one, other] = (await people.several(2)) as [Person, Person];
        const path = await organizationOf(one, other);
        const answers = await race(
          () => one.delete(`${path}/managers/${one.id}`),
          () => other.delete(`${path}/managers/${other.id}`),
        );
        const stays = answers[0]?.status === 204 ? other : one;
        expect(await managersOf(path)).toEqual([stays.id]);
        return answers.map(short).join(' | ');
      },
      { '204 | 409 1506': true, '409 1506 | 204': true },
    ));

  it('one stays, when each removes the other', () =>
    rounds(
      async () => {
        const [one, other] = (await people.several(2)) as [Person, Person];
        const path = await organizationOf(one, other);
        const answers = await race(
          () => one.delete(`${path}/managers/${other.id}`),
          () => other.delete(`${path}/managers/${one.id}`),
        );
        expect(await managersOf(path)).toHaveLength(1);
        return answers.map(short).sort().join(' | ');
      },
      { '204 | 403 1200': true },
    ));

  it('one stays, when the accounts of the last two are deleted', () =>
    rounds(
      async () => {
        const [one, other] = (await people.several(2)) as [Person, Person];
        const path = await organizationOf(one, other);
        const answers = await race(
          () => one.delete(`/users/${one.id}`),
          () => other.delete(`/users/${other.id}`),
        );
        const [stays, gone] = answers[0]?.status === 204 ? [other, one] : [one, other];
        expect(await managersOf(path)).toEqual([stays.id]);
        expect([await isThere(stays), await isThere(gone)]).toEqual([true, false]);
        return answers.map(short).join(' | ');
      },
      { '204 | 409 1506': true, '409 1506 | 204': true },
    ));

  it('one stays, when one leaves and the account of the other is deleted', () =>
    rounds(
      async () => {
        const [one, other] = (await people.several(2)) as [Person, Person];
        const path = await organizationOf(one, other);
        const answers = await race(
          () => one.delete(`${path}/managers/${one.id}`),
          () => other.delete(`/users/${other.id}`),
        );
        expect(await managersOf(path)).toHaveLength(1);
        return answers.map(short).join(' | ');
      },
      { '204 | 409 1506': true, '409 1506 | 204': true },
    ));

  it('a user whose account is deleted while he is added is no manager', () =>
    rounds(
      async () => {
        const [manager, added] = (await people.several(2)) as [Person, Person];
        const path = await organizationOf(manager);
        const answers = await race(
          () => manager.post(`${path}/managers`, { userId: added.id }),
          () => added.delete(`/users/${added.id}`),
        );
        expect(await managersOf(path)).toEqual([manager.id]);
        expect(await isThere(added)).toBe(false);
        return answers.map(short).join(' | ');
      },
      { '201 | 204': true, '400 1024 5012 | 204': true },
    ));

  it('nobody is added to an Organization that is deleted meanwhile', () =>
    rounds(
      async () => {
        const [manager, added] = (await people.several(2)) as [Person, Person];
        const path = await organizationOf(manager);
        const answers = await race(
          () => manager.post(`${path}/managers`, { userId: added.id }),
          () => manager.delete(path),
        );
        expect((await manager.get(path)).status).toBe(404);
        return answers.map(short).join(' | ');
      },
      { '201 | 204': true, '404 1234 | 204': true },
    ));

  it('a person who is added twice is a manager once', () =>
    rounds(
      async () => {
        const [manager, added] = (await people.several(2)) as [Person, Person];
        const path = await organizationOf(manager);
        const answers = await race(
          () => manager.post(`${path}/managers`, { userId: added.id }),
          () => manager.post(`${path}/managers`, { username: added.username }),
        );
        expect(await managersOf(path)).toEqual([manager.id, added.id]);
        return answers.map(short).sort().join(' | ');
      },
      { '201 | 409 1504': true },
    ));

  it('a manager who is removed twice is removed once', () =>
    rounds(
      async () => {
        const [manager, removed] = (await people.several(2)) as [Person, Person];
        const path = await organizationOf(manager, removed);
        const remove = () => manager.delete(`${path}/managers/${removed.id}`);
        const answers = await race(remove, remove);
        expect(await managersOf(path)).toEqual([manager.id]);
        return answers.map(short).sort().join(' | ');
      },
      { '204 | 404 1304': true },
    ));

  it('who is removed while he changes the Organization changes it before or not at all', () =>
    rounds(
      async () => {
        const [manager, removed] = (await people.several(2)) as [Person, Person];
        const path = await organizationOf(manager, removed);
        const name = `Changed ${removed.username}`;
        const answers = await race(
          () => removed.put(path, { name, url: 'https://changed.example' }),
          () => manager.delete(`${path}/managers/${removed.id}`),
        );
        const { body } = await manager.get(path);
        expect(body.managerIds).toEqual([manager.id]);
        expect(body.name === name).toBe(answers[0]?.status === 200);
        return answers.map(short).join(' | ');
      },
      { '200 | 204': true, '403 1200 | 204': true },
    ));

  it('twenty who are added at once are all there that were told so', async () => {
    const [manager, ...added] = (await people.several(21)) as [Person, ...Person[]];
    const path = await organizationOf(manager);
    const answers = await race(
      ...added.map(
        ({ id }) =>
          () =>
            manager.post(`${path}/managers`, { userId: id }),
      ),
    );
    const joined = added.filter((_, index) => answers[index]?.status === 201).map(({ id }) => id);
    expect(new Set(await managersOf(path))).toEqual(new Set([manager.id, ...joined]));
    expect(new Set(answers.map(short))).toEqual(new Set(joined.length < 20 ? ['201', '409 1510'] : ['201']));
  });
});
