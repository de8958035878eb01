import assert from 'node:assert/strict';
import { test } from 'node:test';
import { created, fails, ok } from './expect.mjs';
import { logInFixtures, startService } from './fixtures.mjs';

test('Records, ETags, sessions and passwords are the same after a restart', async () => {
  const service = await startService();
  const { alice, anyone } = await logInFixtures(service.base);
  const organization = await alice.organization({ description: 'before the restart' });
  const api = await alice.api(organization, { isPublic: true });
  const ended = await alice.newSession();
  ok(await alice.delete(`/sessions/${ended.session._id}`), 204);
  const read = async () => {
    const responses = [];
    for (const path of [`/users/${alice.id}`, organization.path, `${organization.path}/managers`, api.path])
      responses.push(ok(await alice.get(path)));
    return responses.map(({ path, body, headers }) => [path, body, headers.etag]);
  };
  const before = await read();

  await service.stop();
  await service.restart();

  assert.deepEqual(await read(), before);
  fails(await ended.get('/users'), 401, 1102);
  created(await anyone.refresh(alice.session.refreshToken));
  created(await alice.logIn());
});
