import type { User } from '../../registry/users/user.schema';
import { broken, type Check, type Problem, type Stored } from './finding';

/** A User who is suspended has the time of it, and no session. */
export const suspensionCheck: Check = () => (record) => {
  const { isSuspended = false, suspendedAt = null, sessions = [] } = record as Stored & Partial<User>;
  const problems: Problem[] = [];
  if (isSuspended !== (suspendedAt !== null)) {
    problems.push(broken(`isSuspended is ${isSuspended}, but suspendedAt is ${String(suspendedAt)}`));
  }
  if (isSuspended && sessions.length > 0) problems.push(broken('it is suspended, but has sessions'));
  return problems;
};
