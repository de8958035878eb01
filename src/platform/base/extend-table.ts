/**
 * Adds entries to a table of the platform, which the product extends: errors, access rules. The type of the table is
 * extended by `declare module` next to the call.
 * @returns the table
 * @throws Error for a name that the table has already
 */
export function extendTable<T extends object>(table: T, entries: Partial<T>): T {
  const taken = Object.keys(entries).find((name) => name in table);
  if (taken) throw new Error(`"${taken}" is declared twice.`);
  return Object.assign(table, entries);
}
