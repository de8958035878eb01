import type { Connection } from 'mongoose';
import type { ApiKey } from '../../users/api-key.schema';
import { User } from '../../users/user.schema';
import type { Finding, Stored } from './finding';

/** A User who is suspended has the time of it, and no session. */
export function suspensionCheck(records: readonly Stored[]): Finding[] {
  return (records as readonly (Stored & Partial<User>)[]).flatMap((record) => {
    const { isSuspended = false, suspendedAt = null, sessions = [] } = record;
    const problems: string[] = [];
    if (isSuspended !== (suspendedAt !== null)) {
      problems.push(`isSuspended is ${isSuspended}, but suspendedAt is ${String(suspendedAt)}`);
    }
    if (isSuspended && sessions.length > 0) problems.push('it is suspended, but has sessions');
    return problems.map((problem) => ({ record, problem }));
  });
}

/** No two API keys are the same: a key names one User. */
export async function apiKeyCheck(records: readonly Stored[], connection: Connection): Promise<Finding[]> {
  const hashesOf = ({ apiKeys = [] }: Stored & { apiKeys?: ApiKey[] }): string[] => apiKeys.map(({ hash }) => hash);
  const $in = records.flatMap(hashesOf);
  if ($in.length === 0) return [];
  const holders = connection.model<User>(User.name).find({ 'apiKeys.hash': { $in } }, { 'apiKeys.hash': 1 });
  const stored = (await holders.schemaLevelProjections(false).lean<Stored[]>()).flatMap(hashesOf);
  const twice = new Set(stored.filter((hash, index) => stored.indexOf(hash) !== index));
  return records.flatMap((record) =>
    hashesOf(record).some((hash) => twice.has(hash))
      ? [{ record, problem: 'it has an API key that is stored twice' }]
      : [],
  );
}
