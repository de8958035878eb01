/** What a POST and a PUT of an Organization do, whatever reads and writes the records. */
import { etagOf, fieldsOf, mayChange, newEvent, newOrganization, slugBase, slugOf } from './records.mjs';
import { PeerError } from './service.mjs';

/** How often a write is attempted. */
const MAX_ATTEMPTS = 5;

/**
 * @typedef {object} Store
 * @property {() => any} newId
 * @property {(id: any) => Promise<any>} read throws if the Organization is gone
 * @property {(organization: any, change: any, event: any) => Promise<any>} write its new state, in one transaction with
 *   the Event; undefined if the stored revision is another one
 * @property {(organization: any, account: any, events: any[]) => Promise<void>} insert in one transaction with the User
 *   and the Events
 * @property {(nameKey: string, id: any) => Promise<any>} isTaken whether another Organization has the name
 * @property {(base: string) => Promise<number | undefined>} highestIndex of the slugs with this base
 */

/** @param {Store} store */
export function createOrganization(store, account, body) {
  const fields = { _id: store.newId(), ...fieldsOf(body) };
  return underSlug(store, fields, async (slug) => {
    const organization = newOrganization(fields, slug, account);
    const manager = { resourceId: account._id, resourceName: account.username, userId: account._id };
    const events = [
      newEvent(account, 'organization.created', organization),
      newEvent(account, 'manager.created', organization, manager),
    ];
    await store.insert(organization, account, events);
    return organization;
  });
}

/** Writes at the revision that was read. If another request was first, the record is read again. @param {Store} store */
export async function updateOrganization(store, account, read, body, ifMatch) {
  let organization = read;
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts += 1) {
    if (attempts > 1) organization = await store.read(organization._id);
    if (!mayChange(account, organization)) throw new PeerError('forbidden');
    if (ifMatch !== undefined && ifMatch !== etagOf(organization)) throw new PeerError('preconditionFailed');
    const written = await update(store, account, organization, fieldsOf(body));
    if (written) return written;
  }
  throw new PeerError('concurrentChange');
}

async function update(store, account, organization, fields) {
  const names = ['name', 'url', 'description'].filter((name) => fields[name] !== organization[name]);
  const changes = names.map((field) => ({ field }));
  const event = newEvent(account, 'organization.updated', { ...organization, ...fields }, { changes });
  if (slugBase(fields.name) === slugBase(organization.name)) {
    return store.write(organization, { $set: fields }, event).catch((error) => {
      throw error.code === 11000 ? new PeerError('nameTaken') : error;
    });
  }
  return underSlug(store, { ...fields, _id: organization._id }, (slug) =>
    store.write(organization, { $set: { ...fields, slug }, $push: { slugs: slug } }, event),
  );
}

/** Writes with a free slug: the plain one first, and after a duplicate key the next index of the base. */
async function underSlug(store, { _id, name, nameKey }, write) {
  const base = slugBase(name);
  for (let index = 0; ; index = ((await store.highestIndex(base)) ?? -1) + 1) {
    try {
      return await write(slugOf(base, index));
    } catch (error) {
      if (error.code !== 11000) throw error;
      if (await store.isTaken(nameKey, _id)) throw new PeerError('nameTaken');
    }
  }
}
