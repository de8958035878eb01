/** What could begin markup, or end a line of a script, where a failure is pasted into a page. */
const UNSAFE = /[<>&\u2028\u2029]/g;

/**
 * The JSON text of what a failure says. It may repeat names that the client chose (unknown fields, parameters), so
 * nothing in it reads as HTML: such characters are written as `\u003c`, which every JSON parser gives back as they were.
 */
export function errorJson(value: object): string {
  return JSON.stringify(value).replace(UNSAFE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
