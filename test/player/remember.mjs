import { readFile, writeFile } from 'node:fs/promises';
import { Caller } from './client.mjs';
import { created, fails, ok, same } from './expect.mjs';

/**
 * Makes one of everything and writes down what GET gives of it, for {@link recall} after a restart.
 * @param {import('./world.mjs').World} world
 * @param {string} file where to write
 * @param {boolean} withApis whether the service has Apis yet
 */
export async function remember(world, file, withApis) {
  const [owner, other] = [await world.newcomer({ password: 'Remember me 7!' }), await world.newcomer()];
  const organization = await world.organization(owner, { description: 'remembered' });
  created(await owner.post(`${organization.path}/managers`, { userId: other.id }));
  const paths = [`/users/${owner.id}`, organization.path, `${organization.path}/managers/${other.id}`];
  if (withApis) paths.push((await world.api(owner, organization, { isPublic: true })).path);
  const ended = await world.login(owner.user.username, owner.password);
  ok(await owner.delete(`/sessions/${ended.session._id}`), 204);
  const refreshed = created(await world.anyone.post('/tokens', { refreshToken: other.session.refreshToken }));
  const records = [];
  for (const path of [...paths, `${organization.path}/managers`, '/sessions']) {
    const { body, headers } = ok(await owner.get(path));
    records.push({ path, body, etag: headers.etag ?? null });
  }
  const tokens = { access: owner.token, refresh: owner.session.refreshToken };
  const login = { username: owner.user.username, password: owner.password };
  await writeFile(
    file,
    JSON.stringify(
      { records, login, ended: ended.token, tokens: { ...tokens, next: refreshed.refreshToken } },
      null,
      2,
    ),
  );
}

/**
 * Scenes that check, after a restart, that all that was remembered is there unchanged and that sessions still work.
 * @param {string} file what {@link remember} wrote
 * @returns {Promise<import('./play.mjs').Scene[]>}
 */
export async function recall(file) {
  const memory = JSON.parse(await readFile(file, 'utf8'));
  return [
    [
      'an access token of before the restart still works, and each record and tag is unchanged',
      (world) => unchanged(world, memory),
    ],
    [
      'a refresh token of before the restart still works; the ended session stays ended',
      (world) => sessions(world, memory),
    ],
    ['the password still works', (world) => world.login(memory.login.username, memory.login.password)],
  ];
}

async function unchanged({ client }, { records, tokens }) {
  const owner = new Caller(client, tokens.access);
  for (const { path, body, etag } of records) {
    const answer = ok(await owner.get(path));
    same([answer.body, answer.headers.etag ?? null], [body, etag], path);
  }
}

async function sessions(world, { tokens, ended }) {
  const token = created(await world.anyone.post('/tokens', { refreshToken: tokens.refresh }));
  ok(await new Caller(world.client, token.accessToken).get('/users'));
  fails(await new Caller(world.client, ended).get('/users'), 401, 1102);
  created(await world.anyone.post('/tokens', { refreshToken: tokens.next }));
}
