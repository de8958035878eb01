/**
 * The request target as the router is to see it: the path and query of an absolute-form target (RFC 9112 §3.2.2), and
 * what is no percent-encoded UTF-8, or begins a fragment, as literal text. The router would answer 400 to broken
 * percent-encoding before any guard, but whatever stands in an id's place names nothing (contract §1.2).
 * @param target the target of the request line
 * @returns the same string when there is nothing to do; the query string is never touched
 */
export function literalTarget(target: string): string {
  const origin = originForm(target);
  if (!origin.includes('%') && !origin.includes('#')) return origin;
  const queryAt = origin.indexOf('?');
  const path = queryAt === -1 ? origin : origin.slice(0, queryAt);
  const query = queryAt === -1 ? '' : origin.slice(queryAt);
  return path.replaceAll('#', '%23').split('/').map(literalSegment).join('/') + query;
}

/** Whether an origin server can read the target at all: it is origin-form, or absolute-form with http or https. */
export function isReadableTarget(target: string): boolean {
  return target.charCodeAt(0) === 47 /* '/' */ || AUTHORITY.test(target);
}

const AUTHORITY = /^https?:\/\/[^/?#]+/i;

function originForm(target: string): string {
  if (target.charCodeAt(0) === 47 /* '/' */) return target;
  const authority = AUTHORITY.exec(target)?.[0];
  if (authority === undefined) return target;
  const rest = target.slice(authority.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The segment itself where it decodes, else with each `%` standing for itself. */
function literalSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    decodeURIComponent(segment);
    return segment;
  } catch {
    return segment.replaceAll('%', '%25');
  }
}
