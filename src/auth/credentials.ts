import { decode, type Jwt } from 'jsonwebtoken';
import type { AccessTokenClaims } from './access-tokens';

/** The claims of an API key that has the right form: only the database knows more. */
export interface ApiKeyClaims {
  readonly keyHash: string;
}

/** The claims of a token of the identity provider: whom it is about, and when it expires. */
export interface OidcClaims {
  readonly subject: string;
  readonly exp: number;
}

/** What is verified of a credential. The account behind it is loaded for every request. */
export type Claims = AccessTokenClaims | ApiKeyClaims | OidcClaims;

/** What a token says of itself; jsonwebtoken throws for some texts that are not tokens. */
export function unverified(token: string): Jwt | undefined {
  try {
    return decode(token, { complete: true }) ?? undefined;
  } catch {
    return undefined;
  }
}
