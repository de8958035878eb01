import { COMMANDS } from '../../scripts/lib/paths.mjs';
import { AdminCommands } from '../../src/commands/admin';
import { Transactions } from '../../src/platform/records/transactions/transactions';
import type { User } from '../../src/registry/users/user.schema';
import { LinksService } from '../../src/registry/links/links.service';
import { UsersService } from '../../src/registry/users/users.service';
import { onDatabase } from '../support/connection';
import { databaseUri } from '../support/database';
import type { Program } from '../support/program.mjs';
import { startCommand } from '../support/programs';
import { ADMIN, JWT_SECRET, startService, useService } from '../support/service';
import { inTerminal } from '../support/terminal';

const start = (uri: string, ...args: string[]): Program =>
  startCommand({ MONGODB_URI: uri, JWT_SECRET }, 'admin', ...args);

describe('npm run admin', () => {
  const service = useService();
  afterEach(() => service.model<User>('User').deleteMany({ _id: { $ne: service.admin.id } }));

  const admins = (): AdminCommands =>
    new AdminCommands(
      service.app.get(UsersService),
      service.app.get(LinksService),
      service.app.get(Transactions),
      service.connection,
    );
  const passwordIn = (text: string): string => /shown only once: (\S{24})$/.exec(text)![1]!;
  const logInStatus = async (username: string, password: string): Promise<number> =>
    (await service.nobody.post('/sessions', { username, password })).status;

  it('list names every Admin, and no other User', async () => {
    await service.account();
    await service.account({ username: 'second', email: 'second@roster.example', roles: ['admin'] });
    expect(await admins().list()).toBe(`${ADMIN.username}  ${ADMIN.email}\nsecond  second@roster.example`);
  });

  it.each([
    ['a username that is taken', 'ADMIN', 'other@roster.example', 'A User with this username already exists.'],
    ['an invalid e-mail address', 'other', 'roster', 'The email '],
  ])('create refuses %s', async (_what, username, email, message) => {
    await expect(admins().create(username, email)).rejects.toThrow(message);
    expect(await service.model<User>('User').countDocuments()).toBe(1);
  });

  it("reset-password ends the User's sessions, and only the password that it prints logs in", async () => {
    const user = await service.registered();
    const other = await service.account();
    const password = passwordIn(await admins().resetPassword(user.user.username.toUpperCase()));
    expect((await user.get('/users')).status).toBe(401);
    expect((await service.nobody.post('/tokens', { refreshToken: user.refreshToken })).status).toBe(401);
    expect((await other.get('/users')).status).toBe(200);
    expect(await logInStatus(user.user.username, user.password)).toBe(401);
    expect(await logInStatus(user.user.username, password)).toBe(201);
  });

  it('link prints a link with which the User sets a password; the old password works until then', async () => {
    const { user, password } = await service.registered();
    const text = await admins().link(user.username.toUpperCase());
    const form =
      /^Send (\S+) the address of the service with this path\. .* shown only once: \/catalog\/#link=(roster_link_\S{43})$/;
    const [, name, token = ''] = form.exec(text) ?? [];
    expect(name).toBe(user.username);
    expect(await logInStatus(user.username, password)).toBe(201);
    const authorization = `Bearer ${token}`;
    const set = await service.nobody.post('/links/current', { password: 'set by a link' }, { authorization });
    expect(set.status).toBe(201);
    expect(await logInStatus(user.username, 'set by a link')).toBe(201);
    await expect(admins().link('unknown')).rejects.toThrow('No User has the username "unknown".');
  });

  it('grant and revoke take effect on the next request', async () => {
    const user = await service.account();
    const path = '/events';
    expect(await admins().grant(user.user.username)).toBe(`${user.user.username} is an Admin.`);
    expect((await user.get(path)).status).toBe(200);
    expect(await admins().revoke(user.user.username)).toBe(`${user.user.username} is not an Admin.`);
    expect((await user.get(path)).status).toBe(403);
  });

  it('leaves an Event without an actor', async () => {
    const user = await service.account();
    await admins().grant(user.user.username);
    await admins().create('rescue', 'rescue@roster.example');
    const { data } = (await service.admin.get('/events?limit=2&sort=-_id')).body;
    const nobody = { actorId: null, actorUsername: null, apiKeyId: null, requestId: null };
    const changes = [{ field: 'roles', from: [], to: ['admin'] }];
    expect(data).toMatchObject([
      { type: 'user.created', ...nobody },
      { type: 'user.updated', userId: user.id, ...nobody, changes },
    ]);
  });

  it('suspend locks a User out immediately, and unsuspend lets them in again', async () => {
    const user = await service.registered({ roles: ['admin'] });
    const { username } = user.user;
    expect(await admins().suspend(username)).toBe(`${username} is suspended, and all their sessions have ended.`);
    expect((await user.get('/users')).status).toBe(401);
    expect(await logInStatus(username, user.password)).toBe(403);
    expect(await admins().list()).toContain(`${username}  ${user.user.email}  (suspended)`);
    await expect(admins().suspend(ADMIN.username)).rejects.toThrow('The registry must keep at least one Admin.');
    expect(await admins().unsuspend(username)).toBe(`${username} is not suspended.`);
    expect(await logInStatus(username, user.password)).toBe(201);
  });

  it('prints no log lines on a terminal', async () => {
    const env = { MONGODB_URI: service.databaseUri, JWT_SECRET };
    const command = inTerminal([process.execPath, COMMANDS, 'admin', 'grant', ADMIN.username], env);
    expect([await command.end(), command.output.trim()]).toEqual([0, `${ADMIN.username} is an Admin.`]);
  });

  it('names the error in a sentence, and ends with 1', async () => {
    const last = start(service.databaseUri, 'revoke', ADMIN.username);
    const absent = start('mongodb://127.0.0.1:1/roster', 'list');
    expect([await last.end(), await absent.end()]).toEqual([1, 1]);
    expect(last.errors.split('\n').slice(-2)).toEqual(['The registry must keep at least one Admin.', '']);
    expect(absent.errors).toMatch(/^Cannot reach the database: .*ECONNREFUSED.* or correct MONGODB_URI\.\n$/);
  });
});

test('npm run admin creates the first Admin on a database without one, and in production logs it without the password', async () => {
  const service = await startService();
  await service.model<User>('User').deleteMany();
  const env = { NODE_ENV: 'production', MONGODB_URI: service.databaseUri, JWT_SECRET };
  const command = startCommand(env, 'admin', 'create', 'rescue', 'rescue@roster.example');
  expect(await command.end()).toBe(0);
  const [, password = ''] = /^rescue is an Admin\. Password, shown only once: (\S+)\n$/.exec(command.output) ?? [];
  await service.logIn({ username: 'rescue', password });
  const lines = command.errors.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      msg: 'Admin rescue created',
      event: 'rolesChanged',
      actor: `uid ${process.getuid!()}`,
      roles: ['admin'],
    }),
    expect.objectContaining({ event: 'adminCommand', command: 'create', username: 'rescue', outcome: 'done' }),
  ]);
  expect(command.errors).not.toContain(password);
  await service.stop();
});

test('npm run admin -- list changes nothing in a new database', async () => {
  const uri = databaseUri('admin-list');
  const command = start(uri, 'list');
  expect(await command.end()).toBe(0);
  expect(command.output).toBe('There is no Admin.\n');
  expect(await onDatabase(uri, (connection) => connection.db!.collections())).toEqual([]);
});
