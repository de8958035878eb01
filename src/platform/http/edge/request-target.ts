/**
 * Rewrites a request target so the router can match it: an absolute-form target (RFC 9112 §3.2.2) becomes its path, `*`
 * gets a slash, and `#` and broken percent-encoding in the path become literal text (contract §1.2).
 */
export function routableTarget(target: string): string {
  const relative = target.replace(/^https?:\/\/[^/?#]+\/?/i, '/').replace(/^(?!\/)/, '/');
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
