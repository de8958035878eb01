import type { Connection, Types } from 'mongoose';
import { Api } from '../../apis/api.schema';
import { File } from '../../files/file.schema';
import { Organization } from '../../organizations/organization.schema';
import { Check, Finding, Stored, visibleRepair } from './finding';

type StoredOrganization = Stored & Organization;

/** Checks of single Models, in addition to those that their schemas declare. */
export const checksByModel: Readonly<Record<string, readonly Check[]>> = {
  [Organization.name]: [managersCheck, featuredCheck, apiCountCheck, logoCheck],
  [File.name]: [attachedCheck],
};

function managersCheck(records: readonly Stored[]): Finding[] {
  const unmanaged = (records as readonly StoredOrganization[]).filter(({ managers }) => !managers?.length);
  return unmanaged.map((record) => ({ record, problem: 'it has no managers; an Admin can add one' }));
}

/** Featured are public APIs of the Organization. Those that are gone are found by their `ref`. */
async function featuredCheck(records: readonly Stored[], connection: Connection): Promise<Finding[]> {
  const organizations = records as readonly StoredOrganization[];
  const ids = organizations.flatMap(({ featuredApiIds }) => featuredApiIds ?? []);
  const apis = await byId<Api>(connection, Api.name, ids, { organizationId: 1, isPublic: 1 });
  return organizations.flatMap((record) =>
    (record.featuredApiIds ?? []).flatMap((id): Finding[] => {
      const api = apis.get(String(id));
      const problem = !api ? '' : !api.isPublic ? 'is private' : 'belongs to another Organization';
      if (!api || (api.isPublic && record._id.equals(api.organizationId))) return [];
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

/** A logo is the logo of one Organization. One that is gone is found by its `ref`. */
async function logoCheck(records: readonly Stored[], connection: Connection): Promise<Finding[]> {
  const organizations = records as readonly StoredOrganization[];
  const ids = organizations.flatMap(({ organizationLogoFileId }) => organizationLogoFileId ?? []);
  const files = await byId<File>(connection, File.name, ids, { organizationId: 1 });
  return organizations.flatMap((record): Finding[] => {
    const file = files.get(String(record.organizationLogoFileId));
    if (!file || record._id.equals(file.organizationId ?? '')) return [];
    return [{ record, problem: `organizationLogoFileId: the File ${String(file._id)} is not its logo` }];
  });
}

/** A File that says that it is a logo is one. */
async function attachedCheck(records: readonly Stored[], connection: Connection): Promise<Finding[]> {
  const files = records as readonly (Stored & File)[];
  const ids = files.flatMap(({ organizationId }) => organizationId ?? []);
  const organizations = await byId<Organization>(connection, Organization.name, ids, { organizationLogoFileId: 1 });
  return files.flatMap((record): Finding[] => {
    const organization = organizations.get(String(record.organizationId));
    if (!organization || record._id.equals(organization.organizationLogoFileId ?? '')) return [];
    return [{ record, problem: `organizationId: the Organization ${String(organization._id)} has another logo` }];
  });
}

/** The records with these ids, with these fields only. */
async function byId<T>(
  connection: Connection,
  model: string,
  ids: readonly Types.ObjectId[],
  fields: object,
): Promise<Map<string, T & Stored>> {
  if (ids.length === 0) return new Map();
  const found = await connection
    .model<object>(model)
    .find({ _id: { $in: ids } }, fields)
    .lean<(T & Stored)[]>();
  return new Map(found.map((record) => [String(record._id), record]));
}
