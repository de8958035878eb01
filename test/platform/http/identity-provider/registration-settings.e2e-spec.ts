import { expectError } from '../../../support/expect-error';
import { newUserBody, unique } from '../../../support/records';
import { COMPANY, person, refused, Registrar } from './registrar';

const registrar = new Registrar();

describe('the settings', () => {
  it('name the claim of the subject; a username without preferred_username is made from username or email', async () => {
    await registrar.withInstance({ OIDC_SUBJECT_CLAIM: 'oid' }, async (other) => {
      const names = [unique(), unique(), unique()];
      const claims: object[] = [
        { preferred_username: names[0], username: 'other' },
        { preferred_username: undefined, username: names[1] },
        { preferred_username: undefined, email: `${names[2]}@engines.example` },
      ];
      for (const [index, name] of names.entries()) {
        const { body } = await registrar.register(person({ ...claims[index], oid: name }), undefined, other);
        expect(body.data).toMatchObject({ username: name, companyName: COMPANY, externalId: name });
      }
      expectError(await registrar.register(person(), undefined, other), 'tokenUnusable');
    });
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
