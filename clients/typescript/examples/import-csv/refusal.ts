import { RosterError } from '@roster/client';
import { wordsOf } from './schemas.ts';

/** Why a row is refused, and the value that is the cause, if there is one. */
export interface Reason {
  text: string;
  value?: string | undefined;
}

/** The statuses that refuse one row; any other error ends the import. */
const STATUSES = [400, 403, 404, 409, 412];
const MAX_SHOWN = 60;

/** A row that cannot be saved. */
export class Refused extends Error {
  readonly reasons: readonly Reason[];

  constructor(...reasons: Reason[]) {
    super(reasons.map(({ text }) => text).join('; '));
    this.reasons = reasons;
  }
}

/** The reasons for which a row with these cells was refused. @throws the error if it is about more than this row */
export function reasonsOf(error: unknown, cells: Record<string, string>): readonly Reason[] {
  if (error instanceof Refused) return error.reasons;
  if (!(error instanceof RosterError) || !STATUSES.includes(error.status)) throw error;
  if (error.fieldErrors.length === 0) return [{ text: error.message }];
  return error.fieldErrors.map(({ title, detail }) => {
    const [, list = '', index] = /^(.*)\.(\d+)$/.exec(title) ?? [];
    if (index === undefined) return { text: `${title} ${detail}`, value: cells[title] };
    return { text: `${list} ${detail}`, value: wordsOf(cells[list] ?? '')[Number(index)] };
  });
}

/** A reason with its value and how long that is, as Roster counts. */
export function explained({ text, value }: Reason): string {
  if (value === undefined) return text;
  const characters = [...value];
  const { length } = characters;
  const shown = length > MAX_SHOWN ? `${characters.slice(0, MAX_SHOWN).join('')}…` : value;
  return `${text}: "${shown}", ${length} ${length === 1 ? 'character' : 'characters'}`;
}

/** A text with the names of the characters that cannot be seen, or that a terminal would obey. */
export function visible(text: string): string {
  return text.replace(/(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu, (character) => {
    return `<U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}
