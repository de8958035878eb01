// What needs attention: of Managers, in their Organizations; of Admins, everywhere.
import { contactOf, element, inDays, mark, ul } from './elements.mjs';
import { me, read } from './http.mjs';
import { apiItems, organizationItems, ownersOf } from './lists.mjs';
import { section } from './parts.mjs';

export async function attention(signal) {
  const isAdmin = (await me()).roles.includes('admin');
  const group = (title, filter, itemsOf) => {
    const query = new URLSearchParams({ limit: 10, ...(!isAdmin && { managerId: 'me' }), ...filter });
    return section(title, `apis?${query}`, { itemsOf, none: 'None.' }, signal, 'h2');
  };
  const ended = { sunsetBefore: new Date().toISOString() };
  return [
    group('Ended, but still used, not deprecated, or a successor', ended, endedItems),
    group('Without a contact', { hasContact: false, limit: 100 }, withoutContact),
    group('Not changed for a year', { updatedBefore: inDays(-365) }, apiItems),
    isAdmin && element('h2', {}, 'All Managers suspended'),
    isAdmin && ul(organizationItems(await withoutManagers(signal)), 'None.'),
  ];
}

/** What is wrong with APIs that have ended, and the APIs that they should have replaced. */
async function endedItems(apis, signal) {
  const problems = await Promise.all(
    apis.map(async (api) => {
      const paths = [`apis/${api._id}/consumers?limit=1`, `apis?successorId=${api._id}`];
      const [users, before] = await Promise.all(paths.map((path) => read(path, signal)));
      const reasons = [api.lifecycleStatus !== 'deprecated' && 'not deprecated', users.data[0] && 'still used'];
      const others = before.data.map((one) => [one, `to be replaced by ${api.name}, which has ended`]);
      return [...reasons.filter(Boolean).map((reason) => [api, reason]), ...others];
    }),
  );
  const wrong = problems.flat();
  const apisOf = wrong.map(([api]) => api);
  const items = await apiItems(apisOf, signal);
  for (const [index, [, reason]] of wrong.entries()) items[index].append(...mark(reason, 'end'));
  return items;
}

/** The APIs whose Organization has no contact either. */
async function withoutContact(apis, signal) {
  const owners = await ownersOf(apis, signal);
  const silent = owners.filter((one) => contactOf(one).length === 0).map(({ _id }) => _id);
  const left = apis.filter(({ organizationId }) => silent.includes(organizationId));
  return apiItems(left, signal);
}

/** Organizations whose Managers are all suspended. */
async function withoutManagers(signal) {
  const users = (await read('users?isSuspended=true&limit=100', signal)).data.map(({ _id }) => _id);
  const lists = await Promise.all(users.map((one) => read(`organizations?managerId=${one}&limit=100`, signal)));
  const all = new Map(lists.flatMap(({ data }) => data.map((one) => [one._id, one])));
  return [...all.values()].filter(({ managerIds }) => managerIds.every((one) => users.includes(one)));
}
