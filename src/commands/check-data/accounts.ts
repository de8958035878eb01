import type { ApiKey } from '../../users/api-key.schema';
import { User } from '../../users/user.schema';
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

/** No two API keys are the same: a key names one User. */
export const apiKeyCheck: Check = async (records, connection) => {
  const hashesOf = ({ apiKeys = [] }: Stored & { apiKeys?: ApiKey[] }): string[] => apiKeys.map(({ hash }) => hash);
  const $in = records.flatMap(hashesOf);
  if ($in.length === 0) return () => [];
  const holders = connection.model<User>(User.name).find({ 'apiKeys.hash': { $in } }, { 'apiKeys.hash': 1 });
  const stored = (await holders.schemaLevelProjections(false).lean<Stored[]>()).flatMap(hashesOf);
  const twice = new Set(stored.filter((hash, index) => stored.indexOf(hash) !== index));
  const isTwice = (hash: string): boolean => twice.has(hash);
  return (record) => (hashesOf(record).some(isTwice) ? [broken('it has an API key that is stored twice')] : []);
};
