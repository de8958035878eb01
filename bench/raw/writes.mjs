/** What a POST and a PUT of an Organization do: each writes in one transaction with its Events. */
import { ObjectId } from 'mongodb';
import * as records from './records.mjs';
import { PeerError, transactionOptions } from './service.mjs';

/** How often a write is attempted. */
const MAX_ATTEMPTS = 5;

export class Writes {
  #db;

  constructor(db) {
    this.#db = db;
  }

  async create(account, body) {
    const fields = { _id: new ObjectId(), ...records.fieldsOf(body) };
    const organization = records.newOrganization(fields, records.slugOf(records.slugBase(fields.name), 0), account);
    const manager = { resourceId: account._id, resourceName: account.username, userId: account._id };
    await this.#insert(organization, account, [
      records.newEvent(account, 'organization.created', organization),
      records.newEvent(account, 'manager.created', organization, manager),
    ]).catch(refuseDuplicate);
    return organization;
  }

  /** Writes at the revision that was read. If another request was first, the record is read again. */
  async update(account, read, body, ifMatch) {
    let organization = read;
    for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts += 1) {
      if (attempts > 1) organization = await this.#read(organization._id);
      if (!records.mayChange(account, organization)) throw new PeerError('forbidden');
      if (ifMatch !== undefined && ifMatch !== records.etagOf(organization)) throw new PeerError('preconditionFailed');
      const written = await this.#updateOnce(account, organization, records.fieldsOf(body));
      if (written) return written;
    }
    throw new PeerError('concurrentChange');
  }

  #updateOnce(account, organization, fields) {
    const names = ['name', 'url', 'description'].filter((name) => fields[name] !== organization[name]);
    const changes = names.map((field) => ({ field }));
    const event = records.newEvent(account, 'organization.updated', { ...organization, ...fields }, { changes });
    const slug = records.slugOf(records.slugBase(fields.name), 0);
    const isRenamed = slug.base !== organization.slug.base;
    const change = isRenamed ? { $set: { ...fields, slug }, $push: { slugs: slug } } : { $set: fields };
    return this.#write(organization, change, event).catch(refuseDuplicate);
  }

  async #read(_id) {
    const found = await this.#db.organizations.findOne({ _id }, { projection: records.ORGANIZATION_FIELDS });
    if (!found) throw new PeerError('notFound');
    return found;
  }

  /** @returns the new state: the revision is in the filter, so it is what was read and what was set; undefined if it missed */
  #write(organization, change, event) {
    return this.#inTransaction(async (session) => {
      const { _id, revision } = organization;
      const raised = { ...change, $inc: { revision: 1 } };
      const { matchedCount } = await this.#db.organizations.updateOne({ _id, revision }, raised, session);
      if (matchedCount === 0) return undefined;
      await this.#db.events.insertOne(event, session);
      return { ...organization, ...change.$set, revision: revision + 1 };
    });
  }

  #insert(organization, { _id }, events) {
    return this.#inTransaction(async (session) => {
      const { matchedCount } = await this.#db.users.updateOne({ _id }, { $inc: { referenceCount: 1 } }, session);
      if (matchedCount === 0) throw new PeerError('accountGone');
      await this.#db.organizations.insertOne(organization, session);
      await this.#db.events.insertMany(events, session);
    });
  }

  #inTransaction(work) {
    return this.#db.client.withSession((session) =>
      session.withTransaction(() => work({ session }), transactionOptions),
    );
  }
}

/** Its names and slugs are as unique as Roster's; it does not look for the next free slug. */
function refuseDuplicate(error) {
  throw error.code === 11000 ? new PeerError('nameTaken') : error;
}
