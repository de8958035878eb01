/** The scheme and authority of an absolute-form target (RFC 9112 §3.2.2). */
const ORIGIN = /^https?:\/\/[^/?#]+\/?/i;

/**
 * Rewrites a request target so that the router can match it: an absolute-form target becomes its path, and `#` and
 * broken percent-encoding in the path become literal text. What is not a path at all (`*`) gets a slash. The router would respond to broken percent-encoding with 400
 * before the guards run, but an id that does not exist is 404, whatever it looks like (contract §1.2).
 * @returns the path with the unchanged query string
 */
export function routableTarget(target: string): string {
  const relative = target.replace(ORIGIN, '/').replace(/^(?!\/)/, '/');
  if (!/[%#]/.test(relative)) return relative;
  const path = relative.split('?', 1)[0]!;
  return path.replaceAll('#', '%23').split('/').map(decodableSegment).join('/') + relative.slice(path.length);
}

function decodableSegment(segment: string): string {
  try {
    decodeURIComponent(segment);
    return segment;
  } catch {
    return segment.replaceAll('%', '%25');
  }
}
