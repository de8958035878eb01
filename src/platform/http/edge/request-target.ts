/**
 * Rewrites a request target so the router can match it: an absolute-form target (RFC 9112 §3.2.2) becomes its path, `*`
 * gets a slash, and `#` in the path becomes literal text.
 */
export function routableTarget(target: string): string {
  const relative = target.replace(/^https?:\/\/[^/?#]+\/?/i, '/').replace(/^(?!\/)/, '/');
  const [path = ''] = relative.split('?', 1);
  return path.replaceAll('#', '%23') + relative.slice(path.length);
}
