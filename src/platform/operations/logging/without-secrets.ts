/**
 * What has the shape of a secret: so many characters in a row as a JWT, an API key or a refresh token has, however often
 * some of them are percent-encoded. No path of the contract has them.
 */
const SECRET = /(?:[\w.-]|%[\da-f]{2}){48,}/gi;

/** The path of a request without the secrets in it, for logs. */
export function withoutSecrets(path: string): string {
  return path.replace(SECRET, '…');
}
