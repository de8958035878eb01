import { User } from '../../src/users/user.schema';
import { Service, startService } from '../support/service';
import { expectSoundRegistry } from './invariants';
import { People, Person } from './people';
import { race, rounds, short } from './race';

describe('Admins who act at once', () => {
  let service: Service;
  let people: People;
  /** The two Admins of a round. */
  let admins: Person[];

  beforeAll(async () => {
    service = await startService();
    people = await People.of(service);
    admins = await people.several(2);
    for (const admin of admins) await service.admin.put(`/users/${admin.id}`, admin.body({ roles: ['admin'] }));
    await admins[0]?.delete(`/users/${service.admin.id}`);
  });
  afterEach(() => expectSoundRegistry(service));
  afterAll(() => service.stop());

  /** Two Admins again, after a round that one of them may have lost the role in. */
  async function two(): Promise<[Person, Person]> {
    const left = await service.model<User>('User').find({ roles: 'admin' }, { _id: 1 }).lean();
    const still = admins.filter(({ id }) => left.some(({ _id }) => _id.equals(id)));
    expect(left).toHaveLength(still.length);
    if (still.length < 2) {
      const next = await people.make();
      const granted = await still[0]?.put(`/users/${next.id}`, next.body({ roles: ['admin'] }));
      expect(granted?.status).toBe(200);
      still.push(next);
    }
    admins = still;
    return [still[0] as Person, still[1] as Person];
  }

  it('one stays, when both give up the role', () =>
    rounds(
      async () => {
        const [one, other] = await two();
        const answers = await race(
          () => one.put(`/users/${one.id}`, one.body({ roles: [] })),
          () => other.put(`/users/${other.id}`, other.body({ roles: [] })),
        );
        return answers.map(short).join(' | ');
      },
      { '200 | 409 1507': true, '409 1507 | 200': true },
      1,
    ));

  it('one stays, when each takes the role of the other', () =>
    rounds(
      async () => {
        const [one, other] = await two();
        const answers = await race(
          () => one.put(`/users/${other.id}`, other.body({ roles: [] })),
          () => other.put(`/users/${one.id}`, one.body({ roles: [] })),
        );
        return answers.map(short).sort().join(' | ');
      },
      { '200 | 409 1507': false, '200 | 403 1200': false },
      1,
    ));

  it('one stays, when both delete themselves', () =>
    rounds(
      async () => {
        const [one, other] = await two();
        const answers = await race(
          () => one.delete(`/users/${one.id}`),
          () => other.delete(`/users/${other.id}`),
        );
        return answers.map(short).join(' | ');
      },
      { '204 | 409 1507': true, '409 1507 | 204': true },
      1,
    ));

  it('one stays, when one gives up the role and the other is deleted', () =>
    rounds(
      async () => {
        const [one, other] = await two();
        const answers = await race(
          () => one.put(`/users/${one.id}`, one.body({ roles: [] })),
          () => other.delete(`/users/${other.id}`),
        );
        return answers.map(short).join(' | ');
      },
      { '200 | 409 1507': true, '409 1507 | 204': true },
      1,
    ));

  it('the role that is taken twice is taken once, and the second finds nothing to do', () =>
    rounds(
      async () => {
        const [one, other] = await two();
        const take = () => one.put(`/users/${other.id}`, other.body({ roles: [] }));
        const answers = await race(take, take);
        return answers.map(short).join(' | ');
      },
      { '200 | 200': true },
      1,
    ));

  it('who loses the role and is deleted is gone, and no last Admin', () =>
    rounds(
      async () => {
        const [one, other] = await two();
        const answers = await race(
          () => one.put(`/users/${other.id}`, other.body({ roles: [] })),
          () => one.delete(`/users/${other.id}`),
        );
        return answers.map(short).join(' | ');
      },
      { '200 | 204': true, '404 1302 | 204': true },
      1,
    ));
});
