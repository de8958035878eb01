import { Service, startService } from '../support/service';
import { expectSoundRegistry } from './invariants';
import { People, Person } from './people';
import { race, rounds, short } from './race';

describe('changes of Users at once', () => {
  let service: Service;
  let people: People;
  let numbers = 0;

  beforeAll(async () => {
    service = await startService();
    people = await People.of(service);
  });
  afterEach(() => expectSoundRegistry(service));
  afterAll(() => service.stop());

  function newUser(changes: object = {}): object {
    const username = `new-${(numbers += 1)}`;
    return {
      username,
      companyName: 'New',
      email: `${username}@roster.example`,
      password: 'a long passphrase',
      ...changes,
    };
  }

  it.each([
    ['username', () => ({ username: `Same-${(numbers += 1)}` }), '409 1502'],
    ['e-mail address', () => ({ email: `Same-${(numbers += 1)}@roster.example` }), '409 1503'],
  ])('of twenty with one %s one is created', async (_, shared, loser) => {
    for (let round = 0; round < 3; round += 1) {
      const same = shared();
      const answers = await race(
        ...Array.from({ length: 20 }, () => () => service.admin.post('/users', newUser(same))),
      );
      expect(answers.map(short).sort()).toEqual(['201', ...Array<string>(19).fill(loser)]);
    }
  });

  it('of two that take one username one gets it', () =>
    rounds(
      async () => {
        const racers = await people.several(2);
        const username = `taken-${(numbers += 1)}`;
        const answers = await race(
          ...racers.map((person) => () => person.put(`/users/${person.id}`, person.body({ username }))),
        );
        return answers.map(short).join(' | ');
      },
      { '200 | 409 1502': true, '409 1502 | 200': true },
    ));

  it('of two PUTs the last one is there, whole', () =>
    rounds(
      async () => {
        const person = await people.make();
        const put = (companyName: string, username: string) => () =>
          person.put(`/users/${person.id}`, person.body({ companyName, username }));
        const [one, other] = [`one-${(numbers += 1)}`, `other-${numbers}`];
        const answers = await race(put('One', one), put('Other', other));
        const { body } = await person.get(`/users/${person.id}`);
        expect([`One ${one}`, `Other ${other}`]).toContain(`${body.companyName} ${body.username}`);
        expect(answers.map(({ headers }) => headers.etag).sort()).toEqual(['"1-1"', '"1-2"']);
        return answers.map(short).join(' | ');
      },
      { '200 | 200': true },
    ));

  it('a PUT does not bring back a User who is deleted meanwhile', () =>
    rounds(
      async () => {
        const person = await people.make();
        const answers = await race(
          () => service.admin.put(`/users/${person.id}`, person.body({ companyName: 'Changed' })),
          () => service.admin.delete(`/users/${person.id}`),
        );
        expect((await service.admin.get(`/users/${person.id}`)).status).toBe(404);
        return answers.map(short).join(' | ');
      },
      { '200 | 204': true, '404 1302 | 204': true },
    ));

  it('a User who is deleted twice is deleted once', () =>
    rounds(
      async () => {
        const person = await people.make();
        const remove = () => service.admin.delete(`/users/${person.id}`);
        const answers = await race(remove, remove);
        return answers.map(short).sort().join(' | ');
      },
      { '204 | 404 1302': true },
    ));

  it('a username is free for the next, once its User is deleted', () =>
    rounds(
      async () => {
        const [leaving, coming] = (await people.several(2)) as [Person, Person];
        const answers = await race(
          () => service.admin.delete(`/users/${leaving.id}`),
          () => coming.put(`/users/${coming.id}`, coming.body({ username: leaving.username })),
        );
        return answers.map(short).join(' | ');
      },
      { '204 | 200': true, '204 | 409 1502': true },
    ));
});
