export const DAY_MS = 24 * 60 * 60 * 1000;

/** The last moment of a date of either form (ms since 1970): of a date alone that of its day in UTC. */
export function lastMomentOf(date: string): number {
  return Date.parse(date) + (date.includes('T') ? 0 : DAY_MS - 1);
}
