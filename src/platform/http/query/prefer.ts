/** Checks whether a `Prefer` header asks for `count=exact`; of two `count`s the first one counts (RFC 7240 §2). */
export function wantsExactCount(prefer: string | readonly string[] = ''): boolean {
  // A quoted value that is not a token could contain what looks like other preferences.
  const preferences = String(prefer).replace(/"([\w-]*)"|"[^"]*"/g, '$1');
  const count = /(?:^|,)\s*count\s*(?:=([^,;]*))?(?:[,;]|$)/i.exec(preferences);
  return count?.[1]?.trim().toLowerCase() === 'exact';
}
