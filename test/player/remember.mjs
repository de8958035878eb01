import { readFile, writeFile } from 'node:fs/promises';
import { Caller } from './caller.mjs';
import { created, fails, ok, same } from './expect.mjs';
import { World } from './world.mjs';

/**
 * Creates one of everything, and writes what GET returns to `options.remember`, for {@link recall} after a restart.
 * @param {Record<string, string>} options
 */
export async function remember(options) {
  const { alice, bob, anyone, client } = await new World(options).open();
  const organization = await alice.organization({ description: 'remembered' });
  created(await alice.post(`${organization.path}/managers`, { userId: bob.id }));
  const api = await alice.api(organization, { isPublic: true });
  const ended = await alice.again();
  ok(await alice.delete(`/sessions/${ended.session._id}`), 204);
  const refreshed = created(await anyone.refresh(bob.session.refreshToken));
  const managers = `${organization.path}/managers`;
  const records = [];
  for (const path of [
    `/users/${alice.id}`,
    organization.path,
    managers,
    `${managers}/${bob.id}`,
    api.path,
    '/sessions',
  ]) {
    const { body, headers } = ok(await alice.get(path));
    records.push({ path, body, etag: headers.etag ?? null });
  }
  const { user, password, token, session } = alice;
  const tokens = { access: token, refresh: session.refreshToken, next: refreshed.refreshToken, ended: ended.token };
  await writeFile(options.remember, JSON.stringify({ records, user, password, tokens }));
  client.close();
}

/**
 * Scenes that check, after a restart, that everything is unchanged and that sessions still work.
 * @param {string} file what {@link remember} wrote
 * @returns {Promise<import('./play.mjs').Scenes>}
 */
export async function recall(file) {
  const { records, user, password, tokens } = JSON.parse(await readFile(file, 'utf8'));
  return {
    'an access token from before the restart still works, and every record and ETag is unchanged': async ({
      anyone,
    }) => {
      for (const { path, body, etag } of records) {
        const response = ok(await anyone.as(tokens.access).get(path));
        same([response.body, response.headers.etag ?? null], [body, etag], path);
      }
    },
    'a refresh token from before the restart still works, and the ended session stays ended': async ({ anyone }) => {
      const { accessToken } = created(await anyone.refresh(tokens.refresh));
      ok(await anyone.as(accessToken).get('/users'));
      fails(await anyone.as(tokens.ended).get('/users'), 401, 1102);
      created(await anyone.refresh(tokens.next));
    },
    'the password still works': ({ client }) => new Caller(client, undefined, { user, password }).again(),
  };
}
