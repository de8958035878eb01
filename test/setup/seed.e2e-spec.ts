import { join } from 'node:path';
import { Program } from '../support/program.mjs';
import { ADMIN, useService } from '../support/service';

const service = useService();

const seed = (env: Record<string, string>): Program =>
  new Program([join(__dirname, '../../examples/demo/fill.mjs')], env);

it('npm run seed fills a running service once', async () => {
  const env = { ROSTER: await service.url(), PASSWORD: ADMIN.password };
  const first = seed(env);
  expect([await first.end(), first.errors]).toEqual([0, '']);
  const [, username, password] = /^Added \d\d+ records\. Log in as (\w+), .* with the password "(.*)"\.\n$/.exec(
    first.output,
  )!;
  const person = await service.logIn({ username: username!, password: password! });
  const { data } = (await person.get('/apis?tag=cards&lifecycleStatus=deprecated')).body;
  expect(data).toMatchObject([{ name: 'Card Payments', successorId: expect.any(String) }]);
  // What needs attention: an API that has ended and is still used, one whose successor has ended, one without a contact.
  const ended = (await person.get(`/apis?sunsetBefore=${new Date().toISOString()}`)).body.data;
  expect(ended).toMatchObject([{ name: 'Order Files' }]);
  expect((await person.get(`/apis/${ended[0]._id}/consumers`)).body.data).toHaveLength(1);
  expect((await person.get(`/apis?successorId=${ended[0]._id}`)).body.data).toHaveLength(1);
  const [owner] = (
    await person.get('/organizations?slug=supplier-risk-data-protection-and-internal-audit-for-the-nordic-countries')
  ).body.data;
  const uncontacted = (await person.get(`/apis?hasContact=false&organizationId=${owner._id}`)).body.data;
  expect([owner.contactEmail, uncontacted.length]).toEqual([null, 1]);
  const before = await service.contents();
  const again = seed(env);
  expect([await again.end(), again.output]).toEqual([0, expect.stringMatching(/^Added 0 records\./)]);
  expect({ ...(await service.contents()), users: 0 }).toEqual({ ...before, users: 0 });
});

it.each([
  ['without a password', {}, /^Set PASSWORD to the password of admin, .* npm run admin -- reset-password admin\n$/],
  ['with another password', { PASSWORD: 'x' }, /^admin has another password\. Lost it\? Run: npm run admin/],
  ['without a service', { ROSTER: 'http://127.0.0.1:1', PASSWORD: 'x' }, /^No service responds at .* Run `npm start`/],
])('npm run seed says what to do %s', async (_what, env, message) => {
  const failed = seed({ ROSTER: await service.url(), ...env });
  expect([await failed.end(), failed.errors]).toEqual([1, expect.stringMatching(message)]);
});
