// The lists of APIs and of Organizations, and how their records look in every list.
import { at, hashOf, hashOfRecord } from './address.mjs';
import { byId, element, endOf, inDays, item, mail, mark, option } from './elements.mjs';
import { read } from './http.mjs';
import { fill, pageOf } from './parts.mjs';

export const STATUSES = ['design', 'development', 'testing', 'production', 'deprecated'];
export const linkTo = (show, name) =>
  element('a', { href: hashOfRecord(show), dir: 'auto', ariaCurrent: String(show === at.show) }, name);
const tagLink = (tag) => [element('a', { className: 'mark tag', href: hashOf({ tag }) }, tag), ' '];
export const marksOf = (api) => [mark(api.lifecycleStatus), endOf(api), api.tags.map(tagLink)];

export const organizationItem = ({ _id, name, description, note }, ...marks) =>
  item(linkTo(`organizations/${_id}`, name), [note ?? description], ...marks);
export const organizationItems = (all) => all.map((one) => organizationItem(one));
export const managerItems = (all) =>
  all.map(({ username, companyName, email }) => item(username, [companyName, mail(email)]));

export async function ownersOf(apis, signal) {
  const ids = new Set(apis.map(({ organizationId }) => organizationId));
  return ids.size > 0 ? (await read(`organizations?id=${[...ids]}`, signal)).data : [];
}

export async function apiItems(apis, signal) {
  const owners = await ownersOf(apis, signal);
  const textsOf = ({ organizationId: id, version }) => [owners.find(({ _id }) => _id === id)?.name, version];
  return apis.map((api) => item(linkTo(`apis/${api._id}`, api.name), textsOf(api), marksOf(api)));
}
/** The tags that are suggested are those of the APIs that are shown. */
function apisWithTags(apis, signal) {
  byId('tags').replaceChildren(...[...new Set(apis.flatMap(({ tags }) => tags))].sort().map((tag) => option([tag])));
  return apiItems(apis, signal);
}

function pathOf({ list, q, status, tag, ends, mine }) {
  const end = { sunsetAfter: inDays(0), sunsetBefore: inDays(Number(ends) + 1), sort: 'sunsetAt' };
  const ofApis = { lifecycleStatus: status, tag, ...(ends && end) };
  const all = { limit: 50, sort: 'name', q, managerId: mine && 'me', ...(list === 'apis' && ofApis) };
  return `${list}?${new URLSearchParams(Object.entries(all).filter(([, value]) => value))}`;
}

export function showList(view) {
  const none = view.q ? `Nothing contains “${view.q}”.` : 'No results.';
  const itemsOf = view.list === 'apis' ? apisWithTags : organizationItems;
  return fill(byId('list'), (signal) => pageOf(pathOf(view), { itemsOf, none, count: byId('count') }, signal));
}
