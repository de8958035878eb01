import { Event } from '../../registry/events/event.schema';
import { File } from '../../registry/files/file.schema';
import { Organization } from '../../registry/organizations/organization.schema';
import { User } from '../../registry/users/user.schema';
import { historyChecks } from './history';
import { byId, Check, Stored } from './finding';

const managersCheck: Check = () => (record) =>
  (record as Stored & Organization).managers?.length ? [] : ['it has no Managers; an Admin can add one'];

/** A logo and its Organization name each other: the record that `path` names has the id of this one in `back`. */
function logoCheck(path: string, model: string, back: string, problem: string): Check {
  return async (records, connection) => {
    const ids = records.map((record) => record[path]);
    const others = await byId(connection, model, ids, { [back]: 1 });
    return (record) => {
      const other = others.get(String(record[path]));
      if (!other || String(other[back]) === String(record._id)) return [];
      return [`${path}: the ${model} ${String(other._id)} ${problem}`];
    };
  };
}

/** A File that is no logo has the time since when, after which the sweep deletes it. */
const unattachedCheck: Check = () => (record) => {
  const { organizationId = null, unattachedSince = null } = record as Stored & Partial<File>;
  return organizationId || unattachedSince ? [] : ['it is no logo, and would never be deleted'];
};

/** A User who is suspended has the time of it, and no session. */
const suspensionCheck: Check = () => (record) => {
  const { isSuspended = false, suspendedAt = null, sessions = [] } = record as Stored & Partial<User>;
  const problems: string[] = [];
  if (isSuspended !== (suspendedAt !== null)) {
    problems.push(`isSuspended is ${isSuspended}, but suspendedAt is ${String(suspendedAt)}`);
  }
  if (isSuspended && sessions.length > 0) problems.push('it is suspended, but has sessions');
  return problems;
};

/** Checks of single Models. Those that the schemas declare (references.ts) find references to nothing. */
export const checksByModel: Readonly<Record<string, readonly Check[]>> = {
  [Organization.name]: [
    managersCheck,
    logoCheck('organizationLogoFileId', File.name, 'organizationId', 'is not its logo'),
  ],
  [User.name]: [suspensionCheck],
  [Event.name]: historyChecks,
  [File.name]: [
    logoCheck('organizationId', Organization.name, 'organizationLogoFileId', 'has another logo'),
    unattachedCheck,
  ],
};
