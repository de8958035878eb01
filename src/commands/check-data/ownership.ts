import type { Types } from 'mongoose';
import { Api } from '../../registry/apis/api.schema';
import { Event } from '../../registry/events/event.schema';
import { File } from '../../registry/files/file.schema';
import { Organization } from '../../registry/organizations/organization.schema';
import { User } from '../../registry/users/user.schema';
import { suspensionCheck } from './accounts';
import { historyChecks } from './history';
import { broken, byId, Check, Problem, Stored, visibleRepair } from './finding';

const managersCheck: Check = () => (record) =>
  (record as Stored & Organization).managers?.length ? [] : [broken('it has no Managers; an Admin can add one')];

/** Featured are public APIs of the Organization. */
const featuredCheck: Check = async (records, connection) => {
  const idsOf = ({ featuredApiIds }: Stored): unknown[] => (featuredApiIds as unknown[] | undefined) ?? [];
  const apis = await byId(connection, Api.name, records.flatMap(idsOf), { organizationId: 1, isPublic: 1 });
  return (record) =>
    idsOf(record).flatMap((id): Problem[] => {
      const api = apis.get(String(id)) as (Stored & Api) | undefined;
      if (!api || (api.isPublic && record._id.equals(api.organizationId))) return [];
      const problem = api.isPublic ? 'belongs to another Organization' : 'is private';
      const repair = visibleRepair(`remove ${String(id)} from featuredApiIds`, { $pull: { featuredApiIds: id } });
      return [{ problem: `featuredApiIds: the API ${String(id)} ${problem}`, repair }];
    });
};

const apiCountCheck: Check = async (records, connection) => {
  const counted = await connection
    .model<Api>(Api.name)
    .aggregate<{ _id: Types.ObjectId; count: number }>([
      { $match: { organizationId: { $in: records.map(({ _id }) => _id) } } },
      { $group: { _id: '$organizationId', count: { $sum: 1 } } },
    ]);
  const counts = new Map(counted.map(({ _id, count }) => [String(_id), count]));
  return (record) => {
    const apiCount = counts.get(String(record._id)) ?? 0;
    if (record.apiCount === apiCount) return [];
    const problem = `apiCount is ${String(record.apiCount)}, but it has ${apiCount} APIs`;
    return [{ problem, repair: { what: 'count again', update: { $set: { apiCount } } } }];
  };
};

/** A logo and its Organization name each other: the record that `path` names has the id of this one in `back`. */
function logoCheck(path: string, model: string, back: string, problem: string): Check {
  return async (records, connection) => {
    const ids = records.map((record) => record[path]);
    const others = await byId(connection, model, ids, { [back]: 1 });
    return (record) => {
      const other = others.get(String(record[path]));
      if (!other || String(other[back]) === String(record._id)) return [];
      return [broken(`${path}: the ${model} ${String(other._id)} ${problem}`)];
    };
  };
}

/** A File that is no logo has the time since when, after which the sweep deletes it. */
const unattachedCheck: Check = () => (record) => {
  const { organizationId = null, unattachedSince = null } = record as Stored & Partial<File>;
  return organizationId || unattachedSince ? [] : [broken('it is no logo, and would never be deleted')];
};

/** Checks of single Models. Those that the schemas declare (references.ts) find references to nothing. */
export const checksByModel: Readonly<Record<string, readonly Check[]>> = {
  [Organization.name]: [
    managersCheck,
    featuredCheck,
    apiCountCheck,
    logoCheck('organizationLogoFileId', File.name, 'organizationId', 'is not its logo'),
  ],
  [User.name]: [suspensionCheck],
  [Event.name]: historyChecks,
  [File.name]: [
    logoCheck('organizationId', Organization.name, 'organizationLogoFileId', 'has another logo'),
    unattachedCheck,
  ],
};
