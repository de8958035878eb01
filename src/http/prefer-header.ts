/**
 * Whether a `Prefer` header asks for `count=exact` (contract §2 Lists), alone or among other preferences, in any case,
 * quoted or not. Of two `count`s the first one counts (RFC 7240 §2).
 */
export function wantsExactCount(prefer: string | readonly string[] | undefined): boolean {
  const text = [prefer ?? []].flat().join(',').toLowerCase();
  const preferences = text.replace(/"([^"]*)"/g, unquote).split(',');
  const count = preferences.map(parsePreference).find(([name]) => name === 'count');
  return count?.[1] === 'exact';
}

/** A quoted value as a token. One that is not a token could be mistaken for other preferences. */
function unquote(_quoted: string, value: string): string {
  return /^[a-z0-9_-]*$/.test(value) ? value : '-';
}

function parsePreference(text: string): [name: string, value: string] {
  const [token = ''] = text.split(';', 1);
  const [name = '', value = ''] = token.split('=', 2);
  return [name.trim(), value.trim()];
}
