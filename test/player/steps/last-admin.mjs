import { test } from 'node:test';
import { fails, links, ok, sameVersion } from '../expect.mjs';
import { admin } from '../main.mjs';

async function otherAdmins() {
  const found = [];
  for (let path = '/users?limit=100'; path;) {
    const page = ok(await admin.get(path));
    found.push(...page.body.data.filter((user) => user.roles.includes('admin') && user._id !== admin.id));
    path = links(page).next;
  }
  return found;
}

test('The last Admin stays: 1507 comes before 1506', async () => {
  const path = `/users/${admin.id}`;
  for (const other of await otherAdmins()) ok(await admin.put(`/users/${other._id}`, { ...other, roles: [] }));
  const before = ok(await admin.get(path));
  const own = await admin.organization();
  fails(await admin.delete(path), 409, 1507);
  fails(await admin.put(path, { ...before.body, roles: [] }), 409, 1507);
  ok(await admin.delete(own.path), 204);
  sameVersion(await admin.get(path), before);
});
