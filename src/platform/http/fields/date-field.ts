import { DAY_MS, lastMomentOf } from '../../base/text/date';
import { blankAsEmpty } from '../../base/text/text';
import { isRequired, type Presence, textField, TextRule } from './field';

const LONG_MONTH = '(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])';
const SHORT_MONTH = '(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)';
const CALENDAR_DAY = `[0-9]{4}-(?:${LONG_MONTH}|${SHORT_MONTH}|02-(?:0[1-9]|[12][0-9]))`;
const TIME = 'T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,9})?)?';
const OFFSET = '(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])';

/** What a date must be, for messages. */
const DATE_FORM = 'must be a date (2026-03-16), or a date and time with a UTC offset (2026-03-16T19:07:54Z)';

/** The two forms of a date. That 29 February is in a leap year is checked separately. */
const ISO_DATE = new RegExp(`^(${CALENDAR_DAY})(${TIME}${OFFSET})?$`);

interface DateOptions extends Presence<string> {
  /** Set for a date that must be in the future (5009); a date alone is until its day has ended in UTC. */
  future?: true;
  /** Set for a date of something that has happened (5009): at most a day ahead, for clocks and time zones. */
  past?: true;
}

/** A date, or a date and time with its UTC offset (5007): stored and returned as it was sent, or of a filter in UTC. */
export function IsoDate({ future, past, ...presence }: DateOptions = {}): PropertyDecorator {
  const validators = [
    ...(presence.filter ? [TextRule('badFormat', isEncoded, 'has a "+" that is not encoded: send %2B')] : []),
    TextRule('badFormat', (date) => canonicalDate(date) !== undefined, DATE_FORM),
    ...(future ? [TextRule('outOfRange', isFuture, 'must be in the future')] : []),
    ...(past ? [TextRule('outOfRange', isAtMostOneDayAhead, 'must be at most one day ahead')] : []),
  ];
  const pattern = isRequired(presence) || presence.filter ? ISO_DATE.source : `^\\s*$|${ISO_DATE.source}`;
  // A filter compares times.
  const normalize = (text: string): string => (presence.filter && canonicalDate(text)) || blankAsEmpty(text);
  return textField({ presence, normalize, validators, schema: { pattern } });
}

/** In a query string, `+` is a space. */
const isEncoded = (text: string): boolean =>
  canonicalDate(text) !== undefined || canonicalDate(text.replace(' ', '+')) === undefined;

/** The stored form of a date, in UTC if it has a time; undefined for other text, and outside the years 0000 to 9999. */
function canonicalDate(text: string): string | undefined {
  const [, day, time] = ISO_DATE.exec(text) ?? [];
  // `Date` takes 29 February of another year for 1 March.
  if (day === undefined || !new Date(`${day}T00:00Z`).toJSON().startsWith(day)) return undefined;
  if (time === undefined) return day;
  const instant = new Date(text).toISOString();
  return /^[0-9]{4}-/.test(instant) ? instant : undefined;
}

/** Checks whether a date has not passed; a date alone has passed when it ends in UTC. */
export function isFuture(date: string): boolean {
  return lastMomentOf(date) > Date.now();
}

/** A date alone is from its beginning in UTC on. */
const isAtMostOneDayAhead = (date: string): boolean => Date.parse(date) <= Date.now() + DAY_MS;
