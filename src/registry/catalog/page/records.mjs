// The views of a record: an API, an Organization.
import { hashOfRecord } from './address.mjs';
import { contactOf, day, element, facts, item, mark, web } from './elements.mjs';
import { apiActions, consumerForm, invitations, labelOf, removeButton } from './edit.mjs';
import { login, me, read, request } from './http.mjs';
import { apiItems, linkTo, managerItems, marksOf, organizationItem } from './lists.mjs';
import { section } from './parts.mjs';

/** @param path such as `apis/65f5…` */
export async function recordView(path, signal) {
  const [record] = await Promise.all([read(path, signal), me()]);
  const back = element('a', { href: hashOfRecord(''), id: 'back' }, 'Back to the list');
  const title = element('h2', { tabIndex: -1, dir: 'auto' }, record.name);
  const text = element('p', { className: 'text', dir: 'auto' }, record.description);
  return [back, title, text, await (path.startsWith('apis') ? apiView : organizationView)(record, signal)];
}

/** Whether the account may change what belongs to an Organization. An API key is for reading. */
async function manages({ managerIds }) {
  const { _id, roles } = await me();
  return !login.key && (roles.includes('admin') || managerIds.includes(_id));
}
/** It is shown as soon as it is there. */
function logoOf({ name, organizationLogoFileId: id }, signal) {
  const onload = ({ target }) => URL.revokeObjectURL(target.src);
  const image = element('img', { alt: `Logo of ${name}`, hidden: true, onload });
  const show = async (file) => Object.assign(image, { src: URL.createObjectURL(await file.blob()), hidden: false });
  if (id) request(`files/${id}`, { signal }).then(show, () => undefined);
  return id && image;
}

async function apiView(api, signal) {
  const next = api.successorId && `apis/${api.successorId}`;
  const [owner, successor] = await Promise.all([
    read(`organizations/${api.organizationId}`, signal),
    next && read(next, signal).catch(({ message }) => ({ message })),
  ]);
  const contact = contactOf(api);
  const rows = {
    'Published by': [logoOf(owner, signal), linkTo(`organizations/${owner._id}`, owner.name)],
    Version: api.version,
    'Replaced by': successor && (successor.message ?? linkTo(next, successor.name)),
    [contact.length > 0 ? 'Contact' : `Contact (of ${owner.name})`]: contact.length > 0 ? contact : contactOf(owner),
    Address: web(api.url),
    Documentation: web(api.documentationUrl),
    Definition: [web(api.definitionUrl), api.definitionType && ` (${api.definitionType})`].filter(Boolean),
    Reviewed: api.reviewedAt && day(api.reviewedAt),
    'Last changed': day(api.updatedAt),
  };
  const isOwn = await manages(owner);
  return [
    element('p', {}, marksOf(api), !api.isPublic && mark('private')),
    isOwn && apiActions(api, owner),
    facts(rows),
    ...(await users(api, isOwn, signal)),
    isOwn && section('History', `organizations/${owner._id}/events?resourceId=${api._id}&limit=10`, events, signal),
  ];
}

/** Managers add and remove any Organization, others add their own to an API that takes them. */
async function users(api, isOwn, signal) {
  const own = 'organizations?managerId=me&';
  const isOpen = !isOwn && !login.key && api.isPublic && api.acceptsConsumers;
  const mayAdd = isOwn || (isOpen && (await read(`${own}limit=1`, signal)).data.length > 0);
  const itemsOf = (all) => all.map((one) => organizationItem(one, isOwn && removeButton(api, one)));
  const list = { itemsOf, none: 'No Consumers are known.' };
  const shown = section('Who uses it', `apis/${api._id}/consumers?limit=50`, list, signal);
  return [shown, mayAdd && consumerForm(api, isOwn ? 'organizations?' : own)];
}

/** Who changed what; of words and dates, also from what to what. */
function eventItem({ type, actorUsername, createdAt, changes }) {
  const values = ({ from, to }) => (from === undefined ? '' : `: ${from ?? '–'} → ${to ?? '–'}`);
  const texts = changes.map((change) => labelOf(change.field) + values(change));
  if (texts.length === 0) texts.push(labelOf(type.split('.')[1]));
  return item(`${day(createdAt)} · ${actorUsername ?? 'Roster'}`, texts);
}
const events = { itemsOf: (all) => all.map(eventItem), none: 'No changes are recorded.' };

async function organizationView(organization, signal) {
  const { _id, url } = organization;
  const list = (title, path, itemsOf) => section(title, path, { itemsOf, none: 'None that you can see.' }, signal);
  return [
    logoOf(organization, signal),
    facts({ 'Web address': web(url), Contact: contactOf(organization) }),
    list('Managers', `organizations/${_id}/managers?limit=50`, managerItems),
    (await manages(organization)) && invitations(organization, signal),
    list('APIs', `organizations/${_id}/apis?limit=50&sort=name`, apiItems),
    list('APIs that it uses', `apis?consumerId=${_id}&limit=50&sort=name`, apiItems),
  ];
}
