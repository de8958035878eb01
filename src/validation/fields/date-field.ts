import { applyDecorators } from '@nestjs/common';
import { FieldError, fieldError, invalidContent } from '../../errors/field-error';
import { blankAsEmpty } from '../text';
import { isRequired, type Presence, requestFieldsOf, textField, TextRule } from './field';

const LONG_MONTH = '(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])';
const SHORT_MONTH = '(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)';
const CALENDAR_DAY = `[0-9]{4}-(?:${LONG_MONTH}|${SHORT_MONTH}|02-(?:0[1-9]|[12][0-9]))`;
const TIME = 'T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,9})?)?';
const OFFSET = '(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])';

/** What a date must be, for messages. */
export const DATE_FORM = 'must be a date (2026-03-16), or a date and time with a UTC offset (2026-03-16T19:07:54Z)';

/** The two forms of a date (contract §3). That 29 February is in a leap year is checked separately. */
export const ISO_DATE = new RegExp(`^(${CALENDAR_DAY})(${TIME}${OFFSET})?$`);

const DAY = 24 * 60 * 60 * 1000;

interface DateOptions extends Presence<string> {
  /** Set for a date that must not be in the future, or must be (5009). The present day in UTC is both. */
  when?: 'past' | 'future';
  /** The name of the date, declared before this one, after which it must be (5009). */
  after?: string;
  /** Set for a date that is stored and returned as it was sent. */
  asSent?: boolean;
}

/**
 * A date, or a date and time with its UTC offset (5007), which is stored in UTC with milliseconds unless it is kept as it
 * was sent (contract §3, §1.6). A date alone begins at 00:00 UTC, and is in the future until it ends.
 */
export function IsoDate({ when, after, asSent, ...presence }: DateOptions = {}): PropertyDecorator {
  const isAfterOther = (date: string, dto: object): boolean => isAfter(date, (dto as Values)[after!]);
  const validators = [
    TextRule('badFormat', (date) => canonicalDate(date) !== undefined, DATE_FORM),
    ...(when === 'past' ? [TextRule('outOfRange', isPast, 'must not be in the future')] : []),
    ...(when === 'future' ? [TextRule('outOfRange', isFuture, 'must be in the future')] : []),
    ...(after === undefined ? [] : [TextRule('outOfRange', isAfterOther, mustBeAfter(after))]),
  ];
  const schema = { pattern: isRequired(presence) ? ISO_DATE.source : `^\\s*$|${ISO_DATE.source}` };
  const normalize = (text: string): string => (asSent ? undefined : canonicalDate(text)) ?? blankAsEmpty(text);
  return applyDecorators(
    ...(after === undefined ? [] : [declareOrder(after)]),
    textField({ presence, normalize, validators, schema }),
  );
}

/** The stored form of a date, in UTC if it has a time; undefined for other text, and outside the years 0000 to 9999. */
export function canonicalDate(text: string): string | undefined {
  const [, day, time] = ISO_DATE.exec(text) ?? [];
  // `Date` takes 29 February of another year for 1 March.
  if (day === undefined || !new Date(`${day}T00:00Z`).toJSON().startsWith(day)) return undefined;
  if (time === undefined) return day;
  const instant = new Date(text).toISOString();
  return /^[0-9]{4}-/.test(instant) ? instant : undefined;
}

function isPast(date: string): boolean {
  return Date.parse(date) <= Date.now();
}

/** Checks whether a date has not passed; a date alone has passed when it ends in UTC. */
export function isFuture(date: string): boolean {
  return lastMomentOf(date) > Date.now();
}

/** The last moment of a date of either form (ms since 1970): of a date alone that of its day in UTC. */
export function lastMomentOf(date: string): number {
  return Date.parse(date) + (date.includes('T') ? 0 : DAY - 1);
}

/** Also true where there is nothing to compare: the other date is left out, or has an error of its own. */
function isAfter(date: unknown, other: unknown): boolean {
  return !(Date.parse(String(date)) <= Date.parse(String(other)));
}

type Values = Readonly<Record<string, unknown>>;

const AFTER = Symbol('the date after which a date must be');

/** @throws Error if the other date is not declared before this one */
function declareOrder(other: string): PropertyDecorator {
  return (prototype, name) => {
    if (!requestFieldsOf(prototype.constructor).includes(other))
      throw new Error(`Declare the date ${other} before ${String(name)}, which must be after it.`);
    Reflect.defineMetadata(AFTER, other, prototype, name);
  };
}

function mustBeAfter(other: string): string {
  return `must be after ${other}`;
}

/**
 * Checks the order of a record's dates after a PUT, which keeps those that it leaves out, in nested objects too.
 *
 * @throws InvalidContentError outOfRange
 */
export function assertDateOrder(body: object, record: object): void {
  const wrong = datesOutOfOrder(body, record);
  if (wrong.length > 0) throw invalidContent(...wrong);
}

/** @param path of a nested object: `headquarters.` */
function datesOutOfOrder(body: object, record: unknown, path = ''): FieldError[] {
  const kept: Values = { ...(record as Values | null | undefined) };
  const values: Values = { ...kept, ...body };
  return requestFieldsOf(body.constructor).flatMap((name) => {
    const value = values[name];
    const other = Reflect.getMetadata(AFTER, body, name) as string | undefined;
    if (value instanceof Object) return datesOutOfOrder(value, kept[name], `${path}${name}.`);
    const isWrong = other !== undefined && !isAfter(value, values[other]);
    return isWrong ? fieldError('outOfRange', `${path}${name}`, mustBeAfter(other)) : [];
  });
}
