/**
 * What has the shape of a secret: a JWT, or so many characters of base64url in a row as an API key or a refresh token
 * has. No path of the contract has either.
 */
const SECRET = /eyJ[\w-]{8,}(?:\.[\w-]*)*|[\w-]{48,}/g;

/** What secrets consist of and a slash, percent-encoded. */
const ENCODED = /%(2[d-f]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9a])/gi;

/** How often a path may have been encoded. */
const MAX_ENCODED = 4;

/** The path of a request without the secrets in it, for logs; one that has none is returned as it was sent. */
export function withoutSecrets(path: string): string {
  let decoded = path;
  for (let count = 0; count < MAX_ENCODED; count += 1)
    decoded = decoded
      .replace(/%25/g, '%')
      .replace(ENCODED, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
  const masked = decoded.replace(SECRET, '…');
  return masked === decoded ? path : masked;
}
