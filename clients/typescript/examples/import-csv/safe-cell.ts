/**
 * The mark before a text that a spreadsheet would run or convert. Spreadsheets show it, and keep the text.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const MARK = "'";

/** What spreadsheets show, and export, in place of a value that they cannot compute, in any language. */
export const ERROR_CELL = /^(?:#(?:\p{Lu}\/\p{Lu}|NV|YOK|HIÁNYZIK|GETTING_DATA|#+|[¡¿]?[\p{Lu}\d/_]+[!?])|Err:\d{3})$/u;

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\\p{L}{0,6}';

/** Texts that a spreadsheet would change. */
const CHANGED = [
  // Formulas, also as they are typed in East Asia.
  /^[=+\-@\t\r＝＋－＠]/u,
  // Numbers, dates and times: leading zeros and digits after the fifteenth would be lost.
  /^(?=.*\p{Nd})(?:[^\p{L}]|[年月日時分秒년월일])*$/su,
  /^[\d.,]+e[+-]?\d+$/iu,
  /^\d{4}-\d{2}-\d{2}t/iu,
  /^[\d\s:.]*\d\s?[ap]\.?(?:m\.?)?$/iu,
  new RegExp(`^(?=.*\\d)[\\d\\s.,/-]*${MONTH}[\\d\\s.,/-]*$`, 'iu'),
  /^(?:true|false|wahr|falsch|vrai|faux|vero|falso|verdadero|waar|onwaar)$/iu,
  ERROR_CELL,
];

/** A text as a cell that a spreadsheet neither runs nor converts. */
export function marked(text: string): string {
  return isChanged(text) ? MARK + text : text;
}

/** The text of a cell: without the mark, if `marked` would have put it there. Other apostrophes stay. */
export function unmarked(cell: string): string {
  return cell.startsWith(MARK) && isChanged(cell.slice(MARK.length)) ? cell.slice(MARK.length) : cell;
}

/** A text that looks like a marked one is marked, too, so each text has its own cell. */
function isChanged(text: string): boolean {
  return CHANGED.some((form) => form.test(text.replace(/^'+/, '')));
}
