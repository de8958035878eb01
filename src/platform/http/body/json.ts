import { apiError } from '../../base/errors/api-error';

/** The deepest nesting of a body; the object itself is the first level (contract §1.5). */
const MAX_DEPTH = 32;
/** The most members and array elements of a body together (contract §1.5). */
const MAX_MEMBERS = 1000;

/**
 * Parses a body into its members. Of several members with one name the last is used; `__proto__` is an ordinary member.
 * @throws ApiError `unusableBody` if it is not a JSON object, is nested too deep or has too many members
 */
export function parseObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (text === '') throw apiError('unusableBody');
    const position = /at position \d+/.exec((error as SyntaxError).message)?.[0];
    throw apiError('unusableBody', `The body is not valid JSON${position ? `: error ${position}` : ''}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw apiError('unusableBody');
  if (countMembers(value) > MAX_MEMBERS) {
    throw apiError('unusableBody', `The body has more than ${MAX_MEMBERS} members and elements.`);
  }
  return value as Record<string, unknown>;
}

/** Counts the members and array elements at all levels. */
function countMembers(value: unknown, level = 1): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (level > MAX_DEPTH) throw apiError('unusableBody', `The body is nested deeper than ${MAX_DEPTH} levels.`);
  const members = Object.values(value);
  return members.reduce<number>((count, member) => count + countMembers(member, level + 1), members.length);
}
