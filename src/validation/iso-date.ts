const TIME = 'T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,9})?)?';
const OFFSET = '(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])';

/** The two forms of a date (contract §1.6). The days of the month are checked separately. */
export const ISO_DATE = new RegExp(`^([0-9]{4}-[0-9]{2}-[0-9]{2})(${TIME}${OFFSET})?$`);

/** The stored form of a date, in UTC if it has a time; undefined for other text, and outside the years 0000 to 9999. */
export function canonicalDate(text: string): string | undefined {
  const [, day, time] = ISO_DATE.exec(text) ?? [];
  // `Date` takes 30 February for 2 March, and its JSON is null for 32 March.
  if (day === undefined || !new Date(`${day}T00:00Z`).toJSON()?.startsWith(day)) return undefined;
  if (time === undefined) return day;
  const instant = new Date(text).toISOString();
  return /^[0-9]{4}-/.test(instant) ? instant : undefined;
}
