import { caseFold } from '../validation/case-fold';

/**
 * What a record is searched by: its searched fields, folded, a line each (contract §2 `q`). A `q` holds no newline, so
 * no match crosses from one field into the next.
 */
export function searchText(...fields: string[]): string {
  return fields.map(caseFold).join('\n');
}

/** The filter for records of which a field contains `q` without regard to case. */
export function searchFilter(q: string | undefined): { searchText?: { $regex: string } } {
  return q === undefined ? {} : { searchText: { $regex: escapeForPattern(caseFold(q)) } };
}

/** `RegExp.escape` came with Node 24 and writes `\x` escapes, which databases read otherwise. */
function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
