import { User } from '../../src/users/user.schema';
import { Service, startService } from '../support/service';
import { expectSoundRegistry } from './invariants';
import { PASSWORD, People } from './people';
import { race, rounds, short } from './race';

describe('changes of sessions at once', () => {
  let service: Service;
  let people: People;

  beforeAll(async () => {
    service = await startService();
    people = await People.of(service);
  });
  afterEach(() => expectSoundRegistry(service));
  afterAll(() => service.stop());

  async function logIn(username: string, password = PASSWORD) {
    return service.nobody.post('/sessions', { username, password });
  }

  async function sessionsOf(id: string): Promise<string[]> {
    const user = await service.model<User>('User').findById(id).lean();
    return (user?.sessions ?? []).map(({ _id }) => String(_id));
  }

  it('a refresh token that is used twice at once gives one successor', async () => {
    const person = await people.make();
    let { refreshToken } = (await logIn(person.username)).body.data as { refreshToken: string };
    await rounds(
      async () => {
        const refresh = () => service.nobody.post('/tokens', { refreshToken });
        const answers = await race(refresh, refresh);
        const successors = new Set(answers.map(({ body }) => body.data?.refreshToken as string));
        expect(successors.size).toBe(1);
        refreshToken = [...successors][0] as string;
        return answers.map(short).join(' | ');
      },
      { '201 | 201': true },
      1,
    );
    expect(await sessionsOf(person.id)).toHaveLength(2);
  });

  it('a login with the old password leaves no session behind a change of the password', () =>
    rounds(
      async () => {
        const person = await people.make();
        const [own] = await sessionsOf(person.id);
        const password = 'the next password of the racers';
        const change = person.body({ password, currentPassword: PASSWORD });
        const answers = await race(
          () => person.put(`/users/${person.id}`, change),
          () => logIn(person.username),
        );
        expect(await sessionsOf(person.id)).toEqual([own]);
        expect((await logIn(person.username, password)).status).toBe(201);
        return answers.map(short).join(' | ');
      },
      { '200 | 201': false, '200 | 401 1103': false },
    ));

  it('a login is not lost when the username changes meanwhile', () =>
    rounds(
      async () => {
        const person = await people.make();
        const renamed = person.body({ username: `re-${person.username}`.slice(0, 30) });
        const answers = await race(
          () => person.put(`/users/${person.id}`, renamed),
          () => service.nobody.post('/sessions', { email: `${person.username}@roster.example`, password: PASSWORD }),
        );
        expect(await sessionsOf(person.id)).toHaveLength(2);
        return answers.map(short).join(' | ');
      },
      { '200 | 201': true },
    ));

  it('who is deleted while logging in has no session', () =>
    rounds(
      async () => {
        const person = await people.make();
        const answers = await race(
          () => service.admin.delete(`/users/${person.id}`),
          () => logIn(person.username),
        );
        expect(await sessionsOf(person.id)).toEqual([]);
        return answers.map(short).join(' | ');
      },
      { '204 | 201': false, '204 | 401 1103': false },
    ));

  it('sixty logins at once leave fifty sessions', async () => {
    const person = await people.make();
    const answers = await race(...Array.from({ length: 60 }, () => () => logIn(person.username)));
    expect(new Set(answers.map(short))).toEqual(new Set(['201']));
    const made = answers.map(({ body }) => body.data._id as string);
    const kept = await sessionsOf(person.id);
    expect(kept).toHaveLength(50);
    expect(made).toEqual(expect.arrayContaining(kept));
  });
});
