import { Types } from 'mongoose';
import { Organization } from '../../src/organizations/organization.schema';
import { Service, startService } from '../support/service';
import { expectSoundRegistry } from './invariants';
import { People, Person } from './people';
import { race, rounds, short } from './race';

const url = 'https://roster.example';

describe('changes of Organizations at once', () => {
  let service: Service;
  let people: People;
  let manager: Person;
  let names = 0;

  beforeAll(async () => {
    service = await startService();
    people = await People.of(service);
    manager = await people.make();
  });
  afterEach(() => expectSoundRegistry(service));
  afterAll(() => service.stop());

  function newName(): string {
    return `Organization ${(names += 1)} of the races`;
  }

  async function organization(name = newName()): Promise<{ path: string; etag: string; name: string }> {
    const created = await manager.post('/organizations', { name, url });
    expect(short(created)).toBe('201');
    const { body, headers } = created;
    return { path: `/organizations/${body.data._id}`, etag: String(headers.etag), name };
  }

  function count(filter: object): Promise<number> {
    return service.model<Organization>('Organization').countDocuments(filter);
  }

  it('a user whose account is deleted creates none, or stays since he is its last manager', () =>
    rounds(
      async () => {
        const founder = await people.make();
        const answers = await race(
          () => founder.post('/organizations', { name: newName(), url }),
          () => founder.delete(`/users/${founder.id}`),
        );
        expect(await count({ createdBy: new Types.ObjectId(founder.id) })).toBe(answers[0]?.status === 201 ? 1 : 0);
        return answers.map(short).join(' | ');
      },
      { '201 | 409 1506': true, '401 1102 | 204': true },
    ));

  it('of two PUTs the last one is there, whole', () =>
    rounds(
      async () => {
        const { path } = await organization();
        const one = { name: newName(), url, description: 'one' };
        const other = { name: newName(), url, description: 'other' };
        const answers = await race(
          () => manager.put(path, one),
          () => manager.put(path, other),
        );
        const { body } = await manager.get(path);
        expect([one, other]).toContainEqual({ name: body.name, url, description: body.description });
        expect(answers.map(({ headers }) => headers.etag).sort()).toEqual(['"1-1"', '"1-2"']);
        return answers.map(short).join(' | ');
      },
      { '200 | 200': true },
    ));

  it('of twenty PUTs with one If-Match one comes through', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { path, etag } = await organization();
      const put = (number: number) => () =>
        manager.put(path, { name: `${newName()} ${number}`, url }, { 'if-match': etag });
      const answers = await race(...Array.from({ length: 20 }, (_, number) => put(number)));
      expect(answers.map(short).sort()).toEqual(['200', ...Array<string>(19).fill('412 1600')]);
    }
  });

  it('a PUT does not bring back an Organization that is deleted meanwhile', () =>
    rounds(
      async () => {
        const { path, name } = await organization();
        const answers = await race(
          () => manager.put(path, { name, url, description: 'changed' }),
          () => manager.delete(path),
        );
        expect((await manager.get(path)).status).toBe(404);
        return answers.map(short).join(' | ');
      },
      { '200 | 204': true, '404 1234 | 204': true },
    ));

  it('a DELETE with If-Match spares an Organization that is changed meanwhile', () =>
    rounds(
      async () => {
        const { path, etag, name } = await organization();
        const answers = await race(
          () => manager.put(path, { name, url, description: 'changed' }),
          () => manager.delete(path, { 'if-match': etag }),
        );
        expect((await manager.get(path)).status).toBe(answers[0]?.status);
        return answers.map(short).join(' | ');
      },
      { '200 | 412 1600': true, '404 1234 | 204': true },
    ));

  it('an Organization that is deleted twice is deleted once', () =>
    rounds(
      async () => {
        const { path } = await organization();
        const answers = await race(
          () => manager.delete(path),
          () => manager.delete(path),
        );
        return answers.map(short).sort().join(' | ');
      },
      { '204 | 404 1234': true },
    ));

  it('of two of one name one is created', () =>
    rounds(
      async () => {
        const name = newName();
        const [one, other] = (await people.several(2)) as [Person, Person];
        const answers = await race(
          () => one.post('/organizations', { name, url }),
          () => other.post('/organizations', { name: name.toUpperCase(), url }),
        );
        return answers.map(short).join(' | ');
      },
      { '201 | 409 1501': true, '409 1501 | 201': true },
    ));

  it('of twenty of one name one is created', async () => {
    for (let round = 0; round < 10; round += 1) {
      const name = newName();
      const answers = await race(
        ...Array.from({ length: 20 }, () => () => manager.post('/organizations', { name, url })),
      );
      expect(answers.map(short).sort()).toEqual(['201', ...Array<string>(19).fill('409 1501')]);
    }
  });

  it('of two that take one name one gets it', () =>
    rounds(
      async () => {
        const [one, other] = [await organization(), await organization()];
        const name = newName();
        const answers = await race(
          () => manager.put(one.path, { name, url }),
          () => manager.put(other.path, { name, url }),
        );
        return answers.map(short).join(' | ');
      },
      { '200 | 409 1501': true, '409 1501 | 200': true },
    ));

  it('a name is free for the next, once its Organization is deleted', () =>
    rounds(
      async () => {
        const { path, name } = await organization();
        const answers = await race(
          () => manager.delete(path),
          () => manager.post('/organizations', { name, url }),
        );
        expect(await count({ name })).toBe(answers[1]?.status === 201 ? 1 : 0);
        return answers.map(short).join(' | ');
      },
      { '204 | 201': true, '204 | 409 1501': true },
    ));

  it.each([
    ['one person', () => Array<Person>(20).fill(manager)],
    ['twenty people', () => people.several(20)],
  ])('twenty of one slug base, by %s, are all created, with slugs of their own', async (_, founders) => {
    for (let round = 0; round < 5; round += 1) {
      const base = `base ${(names += 1)}`;
      const racers = (await founders()).map(
        (founder, number) => () => founder.post('/organizations', { name: base + '!'.repeat(number), url }),
      );
      const answers = await race(...racers);
      expect(answers.map(short)).toEqual(Array<string>(20).fill('201'));
      const indexes = answers.map(({ body }) => body.data.friendlySlugs.slug.index as number);
      expect(indexes.sort((one, other) => one - other)).toEqual(Array.from({ length: 20 }, (__, index) => index));
    }
  });
});
