import type { Connection, Types } from 'mongoose';
import { Api } from '../../apis/api.schema';
import { Event } from '../../events/event.schema';
import { File } from '../../files/file.schema';
import { Organization } from '../../organizations/organization.schema';
import { User } from '../../users/user.schema';
import { apiKeyCheck, suspensionCheck } from './accounts';
import { historyCheck } from './history';
import { byId, Check, Finding, Stored, visibleRepair } from './finding';

/** Checks of single Models, in addition to those that their schemas declare. References to nothing are found by these. */
export const checksByModel: Readonly<Record<string, readonly Check[]>> = {
  [Organization.name]: [
    managersCheck,
    featuredCheck,
    apiCountCheck,
    logoCheck('organizationLogoFileId', File.name, 'organizationId', 'is not its logo'),
  ],
  [User.name]: [suspensionCheck, apiKeyCheck],
  [Event.name]: [historyCheck],
  [File.name]: [logoCheck('organizationId', Organization.name, 'organizationLogoFileId', 'has another logo')],
};

function managersCheck(records: readonly Stored[]): Finding[] {
  const unmanaged = (records as readonly (Stored & Organization)[]).filter(({ managers }) => !managers?.length);
  return unmanaged.map((record) => ({ record, problem: 'it has no Managers; an Admin can add one' }));
}

/** Featured are public APIs of the Organization. */
async function featuredCheck(records: readonly Stored[], connection: Connection): Promise<Finding[]> {
  const idsOf = ({ featuredApiIds }: Stored): unknown[] => (featuredApiIds as unknown[] | undefined) ?? [];
  const apis = await byId(connection, Api.name, records.flatMap(idsOf), { organizationId: 1, isPublic: 1 });
  return records.flatMap((record) =>
    idsOf(record).flatMap((id): Finding[] => {
      const api = apis.get(String(id)) as (Stored & Api) | undefined;
      if (!api || (api.isPublic && record._id.equals(api.organizationId))) return [];
      const problem = api.isPublic ? 'belongs to another Organization' : 'is private';
      const repair = visibleRepair(`remove ${String(id)} from featuredApiIds`, { $pull: { featuredApiIds: id } });
      return [{ record, problem: `featuredApiIds: the API ${String(id)} ${problem}`, repair }];
    }),
  );
}

async function apiCountCheck(records: readonly Stored[], connection: Connection): Promise<Finding[]> {
  const counted = await connection
    .model<Api>(Api.name)
    .aggregate<{ _id: Types.ObjectId; count: number }>([
      { $match: { organizationId: { $in: records.map(({ _id }) => _id) } } },
      { $group: { _id: '$organizationId', count: { $sum: 1 } } },
    ]);
  const counts = new Map(counted.map(({ _id, count }) => [String(_id), count]));
  return records.flatMap((record): Finding[] => {
    const apiCount = counts.get(String(record._id)) ?? 0;
    if (record.apiCount === apiCount) return [];
    const problem = `apiCount is ${String(record.apiCount)}, but it has ${apiCount} APIs`;
    return [{ record, problem, repair: { what: 'count again', update: { $set: { apiCount } } } }];
  });
}

/** A logo and its Organization name each other: the record that `path` names has the id of this one in `back`. */
function logoCheck(path: string, model: string, back: string, problem: string): Check {
  return async (records, connection) => {
    const others = await byId(
      connection,
      model,
      records.map((record) => record[path]),
      { [back]: 1 },
    );
    return records.flatMap((record): Finding[] => {
      const other = others.get(String(record[path]));
      if (!other || String(other[back]) === String(record._id)) return [];
      return [{ record, problem: `${path}: the ${model} ${String(other._id)} ${problem}` }];
    });
  };
}
