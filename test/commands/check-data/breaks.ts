import { Collection, Types } from 'mongoose';
import type { Api } from '../../../src/registry/apis/api.schema';
import type { Consumer } from '../../../src/registry/consumers/consumer.schema';
import type { Event } from '../../../src/registry/events/event.schema';
import type { File } from '../../../src/registry/files/file.schema';
import type { Organization } from '../../../src/registry/organizations/organization.schema';
import type { User } from '../../../src/registry/users/user.schema';
import { withKey } from '../../registry/api-keys/keys';
import { createApi, feature } from '../../registry/apis/api-records';
import { uploaded } from '../../registry/files/uploads';
import { addManager, createOrganization } from '../../support/records';
import type { Service } from '../../support/service';

/** An id of no record. */
const GONE = 'f'.repeat(24);
const GONE_ID = new Types.ObjectId(GONE);

/** The fields of an Event that nobody sent. */
const EVENT = {
  ...{ _id: GONE_ID, resourceName: null, organizationId: null, userId: null, actorId: null, actorUsername: null },
  ...{ apiId: null, apiName: null, apiKeyId: null, requestId: null, readerIds: [], changes: [], createdAt: new Date() },
};

/** The slug of another name. */
const FJORD = { text: 'fjord', base: 'fjord', index: 0 };

type Name = 'nets' | 'other' | 'user' | 'shown' | 'hidden' | 'foreign' | 'consumer' | 'logo';

/** The ids of sound records, for the database and for messages. */
export interface World {
  readonly ids: Readonly<Record<Name, Types.ObjectId>>;
  readonly texts: Readonly<Record<Name, string>>;
  /** The API key of the user. */
  readonly key: string;
}

/** An Organization with managers, a featured API and a logo, and another one. The user has an API key. */
export async function createWorld(service: Service): Promise<World> {
  const { admin } = service;
  const nets = await createOrganization(admin, { name: 'Nets & Sons', url: 'https://nets.example' });
  const other = await createOrganization(admin, { name: 'Other', url: 'https://other.example' });
  const user = await service.account();
  const { key } = await withKey(user);
  await addManager(admin, nets._id, user.id);
  const shown = await createApi(admin, nets._id, { name: 'Shown', isPublic: true });
  const hidden = await createApi(admin, nets._id, { name: 'Hidden', isPublic: false });
  const foreign = await createApi(admin, other._id, { name: 'Foreign', isPublic: true });
  const consumer = await use(service, shown, other);
  const logo = await uploaded(user);
  // Deleted records, with the Events of their creation and deletion.
  const deleted = await createOrganization(admin);
  await createApi(admin, deleted._id);
  await admin.delete(`/apis/${(await createApi(admin, nets._id))._id}`);
  await admin.delete(`/users/${(await service.registered({ companyName: 'Gone' })).id}`);
  await admin.delete(`/organizations/${deleted._id}`);
  const { body } = await feature(admin, nets, shown);
  await admin.put(`/organizations/${nets._id}`, { ...body.data, organizationLogoFileId: logo._id });
  const records = { nets, other, user: user.user, shown, hidden, foreign, consumer, logo };
  const texts = Object.fromEntries(Object.entries(records).map(([name, { _id }]) => [name, _id]));
  const ids = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, new Types.ObjectId(text)]));
  return { ids, texts, key: key.key } as unknown as World;
}

/** Makes an Organization a Consumer of an API. @returns its own id, which responses do not show */
async function use(
  service: Service,
  { _id: apiId }: { _id: string },
  { _id }: { _id: string },
): Promise<{ _id: string }> {
  await service.admin.post(`/apis/${apiId}/consumers`, { organizationId: _id });
  return { _id: String((await service.model('Consumer').findOne({ apiId }).lean())!._id) };
}

/** The collections, past the Models. */
export interface Collections {
  readonly users: Collection<User>;
  readonly organizations: Collection<Organization>;
  readonly apis: Collection<Api>;
  readonly consumers: Collection<Consumer>;
  readonly files: Collection<File>;
  readonly events: Collection<Event>;
}

export function collectionsOf({ connection }: Service): Collections {
  const names = ['users', 'organizations', 'apis', 'consumers', 'files', 'events'];
  return Object.fromEntries(names.map((name) => [name, connection.collection(name)])) as unknown as Collections;
}

/** A way to break an invariant. */
export interface Break {
  readonly what: string;
  readonly break: (db: Collections, ids: World['ids']) => Promise<unknown>;
  /** The lines that name it. */
  readonly lines: (ids: World['texts']) => string[];
}

/** Each breaks one invariant by hand. */
export const BREAKS: readonly Break[] = [
  {
    what: 'a manager who does not exist',
    break: ({ users, events }, { user }) =>
      Promise.all([users.deleteOne({ _id: user }), events.deleteMany({ resourceId: user })]),
    lines: ({ nets, user }) => [`Organization ${nets}: managers._id: no User has the id ${user}`],
  },
  {
    what: 'a featured API that is private',
    break: ({ organizations }, { nets, hidden }) =>
      organizations.updateOne({ _id: nets }, { $push: { featuredApiIds: hidden } }),
    lines: ({ nets, hidden }) => [`Organization ${nets}: featuredApiIds: the isPublic of the Api ${hidden} is false`],
  },
  {
    what: 'an API that is its own successor',
    break: ({ apis }, { shown }) => apis.updateOne({ _id: shown }, { $set: { successorId: shown } }),
    lines: ({ shown }) => [`Api ${shown}: successorId: it is its own id`],
  },
  {
    what: 'a time that is not that of its date',
    break: ({ apis }, { shown }) => apis.updateOne({ _id: shown }, { $set: { sunsetAt: '2027-03-31' } }),
    lines: ({ shown }) => [`Api ${shown}: sunsetTime is not what the other fields give`],
  },
  {
    what: 'a unique key that is not that of its name',
    break: ({ organizations }, { other }) => organizations.updateOne({ _id: other }, { $set: { nameKey: 'another' } }),
    lines: ({ other }) => [`Organization ${other}: nameKey is not what the other fields give`],
  },
  {
    what: 'a search text that is out of date',
    break: ({ users }, { user }) => users.updateOne({ _id: user }, { $set: { searchText: 'old' } }),
    lines: ({ user }) => [`User ${user}: searchText is not what the other fields give`],
  },
  {
    what: 'an Organization without Managers',
    break: ({ organizations }, { other }) => organizations.updateOne({ _id: other }, { $set: { managers: [] } }),
    lines: ({ other }) => [`Organization ${other}: it has no Managers; an Admin can add one`],
  },
  {
    what: 'a User who is a manager twice',
    break: ({ organizations }, { nets, user }) =>
      organizations.updateOne(
        { _id: nets },
        { $push: { managers: { _id: user, createdBy: user, createdAt: new Date() } } },
      ),
    lines: ({ nets, user }) => [`Organization ${nets}: managers._id has the id ${user} twice`],
  },
  {
    what: 'an API without an Organization',
    break: ({ apis }, { foreign }) => apis.updateOne({ _id: foreign }, { $set: { organizationId: GONE_ID } }),
    lines: ({ foreign }) => [`Api ${foreign}: organizationId: no Organization has the id ${GONE}`],
  },
  {
    what: 'a Consumer that does not belong to the Organization of its API',
    break: ({ consumers }, { consumer, other }) =>
      consumers.updateOne({ _id: consumer }, { $set: { organizationId: other } }),
    lines: ({ consumer, nets, shown }) => [
      `Consumer ${consumer}: apiId: the organizationId of the Api ${shown} is ${nets}`,
    ],
  },
  {
    what: 'a File that is no logo, but says so',
    break: ({ organizations }, { nets }) =>
      organizations.updateOne({ _id: nets }, { $set: { organizationLogoFileId: null } }),
    lines: ({ nets, logo }) => [`File ${logo}: organizationId: the Organization ${nets} has another logo`],
  },
  {
    what: 'a logo that is not attached',
    break: ({ files }, { logo }) => files.updateOne({ _id: logo }, { $set: { organizationId: null } }),
    lines: ({ nets, logo }) => [
      `File ${logo}: it is no logo, and would never be deleted`,
      `Organization ${nets}: organizationLogoFileId: the File ${logo} is not its logo`,
    ],
  },
  {
    what: 'a slug that does not fit the name',
    break: ({ organizations }, { nets }) =>
      organizations.updateOne({ _id: nets }, { $set: { slug: FJORD, slugs: [FJORD] } }),
    lines: ({ nets }) => [`Organization ${nets}: the slug fjord does not fit the name "Nets & Sons"`],
  },
  {
    what: 'a slug that does not find its record',
    break: ({ organizations }, { nets }) => organizations.updateOne({ _id: nets }, { $set: { slugs: [] } }),
    lines: ({ nets }) => [`Organization ${nets}: the slug nets-sons does not find the record`],
  },
  {
    what: 'a slug that does not fit its index',
    break: ({ organizations }, { nets }) => organizations.updateOne({ _id: nets }, { $set: { 'slug.index': 2 } }),
    lines: ({ nets }) => [`Organization ${nets}: the slug nets-sons does not fit its base nets-sons and index 2`],
  },
  {
    what: 'a registry without an Admin',
    break: ({ users }) => users.updateMany({}, { $set: { roles: [] } }),
    lines: () => ['There is no Admin.'],
  },
  {
    what: 'a registry whose Admins are suspended',
    break: ({ users }) => users.updateMany({}, { $set: { isSuspended: true, suspendedAt: new Date(), sessions: [] } }),
    lines: () => ['There is no Admin.'],
  },
  {
    what: 'a User who is suspended since no time',
    break: ({ users }, { user }) => users.updateOne({ _id: user }, { $set: { isSuspended: true, sessions: [] } }),
    lines: ({ user }) => [`User ${user}: isSuspended is true, but suspendedAt is null`],
  },
  {
    what: 'a suspended User with a session',
    break: ({ users }, { user }) =>
      users.updateOne({ _id: user }, { $set: { isSuspended: true, suspendedAt: new Date() } }),
    lines: ({ user }) => [`User ${user}: it is suspended, but has sessions`],
  },
  {
    what: 'an Event of an API that is not there',
    break: ({ events }) => events.insertOne({ ...EVENT, type: 'api.created', resourceId: GONE_ID }),
    lines: () => [`Event ${GONE}: no Api has the id ${GONE}, and no Event says that it was deleted`],
  },
  {
    what: 'an index that is missing',
    break: ({ organizations }) => organizations.dropIndex('managers._id_1'),
    lines: () => ['Organization: the index of managers._id is missing'],
  },
];
