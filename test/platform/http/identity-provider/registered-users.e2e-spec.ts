import type { User } from '../../../../src/registry/users/user.schema';
import { expectError } from '../../../support/expect-error';
import { meanwhile, MOMENTS } from '../../../support/meanwhile';
import { newUserBody, unique } from '../../../support/records';
import { COMPANY, person, refused, Registrar } from './registrar';

const registrar = new Registrar();

const holders = (externalId: string) => registrar.service.model<User>('User').find({ externalId }).lean();

describe('a User that a token has created', () => {
  it('is created once: 409, also when the claims have changed', async () => {
    const claims = person();
    await registrar.register(claims);
    await registrar.expectNone(async () => {
      for (const again of [claims, { ...claims, email: undefined }, person({ sub: claims.sub })]) {
        for (const body of [undefined, {}]) expectError(await registrar.register(again, body), 'externalIdTaken');
      }
    });
  });

  it('is not created by a request that another one overtakes', async () => {
    const claims = person();
    for (const moment of MOMENTS) {
      const late = person({ sub: `${claims.sub} ${moment}` });
      const event = () =>
        registrar.register({ ...late, preferred_username: 'first-one', email: `${unique()}@engines.example` });
      expectError(await meanwhile(registrar.service, moment, event, () => registrar.register(late)), 'externalIdTaken');
      expect(await holders(late.sub)).toHaveLength(1);
    }
  });

  it('stays out while suspended, and can come back by registering once deleted', async () => {
    const claims = person();
    const { _id } = (await registrar.register(claims)).body.data;
    const { username, email } = { username: claims.preferred_username, email: claims.email };
    await registrar.service.admin.put(`/users/${_id}`, { username, email, companyName: COMPANY, isSuspended: true });
    await registrar.expectNone(async () => {
      for (const body of [undefined, {}]) expectError(await registrar.register(claims, body), 'suspended');
      expectError(await registrar.service.nobody.get('/users/me', registrar.bearer(claims)), 'suspended');
    });
    await registrar.service.admin.delete(`/users/${_id}`);
    const again = await registrar.register(claims);
    expect([again.status, again.body.data._id === _id]).toEqual([201, false]);
  });
});

describe('a username or an e-mail address', () => {
  it('never finds a User: the username gets a number, and the address of another User is 403', async () => {
    const victim = (
      await registrar.service.admin.post('/users', newUserBody({ username: 'Grace', email: 'grace@bücher.example' }))
    ).body.data;
    for (const name of ['Grace', 'GRACE', ' grace ', 'grace@engines.example']) {
      const { body } = await registrar.register(person({ preferred_username: name }));
      expect(body.data.username.toLowerCase()).toMatch(/^grace-\d+$/);
    }
    await registrar.expectNone(async () => {
      for (const email of [
        'grace@bücher.example',
        'grace@xn--bcher-kva.example',
        'grace@bu\u0308cher.example',
        ' grace@bücher.example ',
      ])
        expectError(await registrar.register(person({ email })), 'noAccount', refused('email'));
    });
    expect((await registrar.service.admin.get(`/users/${victim._id}`)).body).toEqual(victim);
  });

  it.each<[string, string]>([
    ['ada.b+c@engines.example', 'ada-b-c'],
    ['Jörg Müller', 'Jorg-Muller'],
    ['DOMAIN\\user', 'DOMAIN-user'],
    ['x\u0000\u200b\u{1F6A2}y', 'x-y'],
    ['Émile Zola', 'Emile-Zola'],
    ['山田太郎', 'Shan-Tian-Tai-Lang'],
    ['Ｊｕ\u0308\u200brgen＠corp.example', 'Jurgen'],
    ['Владимир', 'Vladimir'],
    [' -_Ada -- Byron- ', 'Ada-Byron'],
    ['ada--byron_', 'ada--byron_'],
    ['a'.repeat(30), 'a'.repeat(30)],
    ['b'.repeat(38), 'b'.repeat(30)],
    [`${'c'.repeat(29)} c`, 'c'.repeat(29)],
  ])('becomes a username: %j is %s, and for the next one it has a number', async (name, username) => {
    const created = async () =>
      (await registrar.register(person({ preferred_username: name }))).body.data?.username as string;
    expect(await created()).toBe(username);
    const numbered = new RegExp(`^${username.slice(0, 25)}-\\d{4}$`);
    expect(await created()).toMatch(numbered);
    expect(await created()).toMatch(numbered);
  });

  it.each<[string, unknown]>([
    ['too short', 'jo'],
    ['too short, before an @', 'jo@corp.example'],
    ['too short, between hyphens', '-x-'],
    ['a picture', '\u{1F6A2}\u{1F6A2}\u{1F6A2}'],
    ['blank', ' '],
    ['no text', 7],
    ['a list', ['ada']],
    ['long, and has nothing that a username may have', '\u200b'.repeat(1000)],
  ])(
    'is made from the e-mail address where the claim is %s, and is "user" with one that is no better',
    async (...row) => {
      const [, preferred_username] = row;
      const register = async (email: string): Promise<unknown> =>
        (await registrar.register(person({ preferred_username, email }))).body.data?.username;
      const local = `Zoë.${unique()}`;
      expect(await register(`${local}@engines.example`)).toBe(local.replace('ë', 'e').replace('.', '-'));
      expect(await register(`李@${unique()}.example`)).toMatch(/^user(-\d{4})?$/);
    },
  );

  it('is different for each of 20 people who come at the same time with one name', async () => {
    const preferred_username = `same-${unique()}`;
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => registrar.register(person({ preferred_username }))),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    expect(new Set(responses.map(({ body }) => body.data.username)).size).toBe(20);
  });

  it('belongs to one of several people who come at the same time with one address; the others get 403', async () => {
    const email = `${unique()}@engines.example`;
    const responses = await Promise.all(Array.from({ length: 10 }, () => registrar.register(person({ email }))));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const response of responses.filter(({ status }) => status !== 201))
      expectError(response, 'noAccount', refused('email'));
  });

  it('that a token has given does not name the User for a Manager: an Admin did not give it', async () => {
    const { _id, email } = (await registrar.register(person())).body.data;
    const manager = await registrar.service.account();
    const { data } = (
      await registrar.service.admin.post('/organizations', { name: `By ${unique()}`, url: 'https://x.example' })
    ).body;
    await registrar.service.admin.post(`/organizations/${data._id}/managers`, { userId: manager.id });
    const add = (body: object) => manager.post(`/organizations/${data._id}/managers`, body);
    expect((await add({ email })).body.code).toBe(1024);
    expect((await add({ userId: _id })).status).toBe(201);
  });

  it.each<[string, object]>([
    ['email_verified', { email_verified: undefined }],
    ['email_verified', { email_verified: 'true' }],
    ['email', { email: undefined }],
    ['email', { email: ['ada@engines.example'] }],
    ['email', { email: 'Ada <ada@engines.example>' }],
    ['email', { email: `${'a'.repeat(8000)}@engines.example` }],
  ])('is not taken from a claim that does not fit: 403 that names %s (%#)', async (claim, claims) => {
    await registrar.expectNone(async () =>
      expectError(await registrar.register(person(claims)), 'noAccount', refused(claim)),
    );
  });
});
