import { RosterError } from '@roster/client';

/** What the program has done, as it prints it. */
export const summary = {
  created: 0,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  missing: [] as string[],
  rejected: [] as string[],
};
/** What the file no longer has, the request that deletes it, and how many records are deleted with it. */
export interface Missing {
  name: string;
  records: number;
  remove: () => Promise<unknown>;
}

/** What Roster has beyond the file, and of how many records that the account manages. */
export interface Surplus {
  missing: Missing[];
  managed: number;
}

/** Entries that are left out because another one is the same record. */
export const leftOut: string[] = [];

/** Does something for an entry, and goes on if Roster rejects it. @param hint follows the reason of a 403 */
export async function unlessRejected<T>(name: string, write: () => Promise<T>, hint = ''): Promise<T | undefined> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof RosterError) || ![400, 403, 404, 409, 412].includes(error.status)) throw error;
    summary.rejected.push(`${name}: ${error.message}${error.status === 403 ? hint : ''}`);
    return undefined;
  }
}
