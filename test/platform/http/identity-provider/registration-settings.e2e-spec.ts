import { expectError } from '../../../support/expect-error';
import { newUserBody, unique } from '../../../support/records';
import { COMPANY, person, refused, Registrar } from './registrar';

const registrar = new Registrar();

describe('the settings', () => {
  it('name the claims; OIDC_COMPANY_NAME is for tokens without the company', async () => {
    await registrar.withInstance(
      {
        OIDC_SUBJECT_CLAIM: 'oid',
        OIDC_USERNAME_CLAIM: 'upn',
        OIDC_EMAIL_CLAIM: 'mail',
        OIDC_COMPANY_CLAIM: 'https://engines.example/company',
      },
      async (other) => {
        const [oid, name] = [unique(), `upn-${unique()}`];
        const claims = {
          oid,
          upn: `${name}@x.example`,
          mail: `${name}@mail.example`,
          'https://engines.example/company': 'Cogs',
        };
        const { body } = await registrar.register(person(claims), undefined, other);
        const expected = { username: name, email: claims.mail, companyName: 'Cogs', externalId: oid };
        expect(body.data).toMatchObject(expected);
        const without = { oid: unique(), upn: 'other', mail: `${unique()}@mail.example` };
        expect((await registrar.register(person(without), undefined, other)).body.data.companyName).toBe(COMPANY);
        for (const company of ['', 7, 'x'.repeat(256), 'a\u202eb']) {
          const wrong = { ...claims, oid: unique(), 'https://engines.example/company': company };
          const response = await registrar.register(person(wrong), undefined, other);
          expectError(response, 'noAccount', refused('https://engines.example/company'));
        }
        expectError(
          await registrar.register(person({ ...claims, oid: unique(), upn: undefined }), {}, other),
          'noAccount',
          refused('upn'),
        );
      },
    );
  });

  it('can take an address without email_verified, but never that of another User', async () => {
    await registrar.withInstance({ OIDC_EMAIL_TRUSTED: 'on' }, async (trusting) => {
      for (const email_verified of [undefined, false, 'true'])
        expect((await registrar.register(person({ email_verified }), undefined, trusting)).status).toBe(201);
      const { email } = (await registrar.service.account()).user;
      const response = await registrar.register(person({ email, email_verified: undefined }), undefined, trusting);
      expectError(response, 'noAccount', refused('email'));
    });
  });

  it('keep it off by default, and the message does not name POST /users then', async () => {
    await registrar.withInstance({ OIDC_CREATE_USERS: 'off' }, async (off) => {
      await registrar.expectNone(async () => {
        for (const body of [undefined, {}])
          expectError(
            await registrar.register(person(), body, off),
            'noAccount',
            expect.not.stringContaining('POST /users'),
          );
      });
      const claims = person();
      await registrar.register(claims);
      expectError(await registrar.register(claims, {}, off), 'forbidden');
    });
  });

  it('of open registration change nothing for tokens, and REGISTRATIONS_PER_HOUR does not count them', async () => {
    await registrar.withInstance({ REGISTRATION: 'open', REGISTRATIONS_PER_HOUR: '1' }, async (open) => {
      for (let count = 0; count < 3; count += 1)
        expect((await registrar.register(person(), undefined, open)).status).toBe(201);
      await registrar.expectNone(async () => {
        for (const body of [newUserBody(), { externalId: 'x' }])
          expectError(await registrar.register(person(), body, open), 'noAccount', expect.any(String));
        expect((await open.nobody.post('/users', {})).body.code).toBe(1024);
        expect((await open.nobody.post('/users')).status).not.toBe(201);
      });
      expect((await open.nobody.post('/users', newUserBody())).status).toBe(201);
      expectError(await open.nobody.post('/users', newUserBody()), 'tooManyRequests', expect.any(String));
      expect((await registrar.register(person(), undefined, open)).status).toBe(201);
    });
  });
});
