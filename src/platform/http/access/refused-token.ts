import { errors, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { truncate } from '../responses/error-body';

/** Why a token is refused, for the log of the operator: a response never says it. */
export class RefusedToken extends Error {}

/**
 * The reason for which jose refuses a token, in words that an operator can act on: "aud is account, not roster".
 * @param header of the token, as it claims
 */
export function reasonOf(error: unknown, header: Partial<JWTHeaderParameters>, audience: string): string {
  const now = Math.floor(Date.now() / 1000);
  if (error instanceof errors.JWTExpired) return `it expired ${now - (error.payload.exp ?? now)} s ago`;
  if (error instanceof errors.JWTClaimValidationFailed) return claimReason(error.claim, error.payload, audience, now);
  if (error instanceof errors.JOSEAlgNotAllowed) return `alg is ${shown(header.alg)}, not RS256, PS256 or ES256`;
  if (error instanceof errors.JWKSNoMatchingKey)
    return `the provider has no ${shown(header.alg)} key with the kid ${shown(header.kid)}`;
  return error instanceof Error ? shown(error.message) : 'unknown';
}

function claimReason(claim: string, payload: JWTPayload, audience: string, now: number): string {
  const value = payload[claim];
  if (value === undefined) return `it has no ${claim}`;
  if (claim === 'aud') return `aud is ${shown(value)}, not ${audience}`;
  return claim === 'nbf' && typeof value === 'number'
    ? `it is valid in ${value - now} s`
    : `${claim} is ${shown(value)}`;
}

/** A value of a token that may be made up: one short line. */
export function shown(value: unknown): string {
  const texts = [value].flat().map((one) => (typeof one === 'string' ? one : (JSON.stringify(one) ?? 'missing')));
  return truncate(texts.join(' and '), 100).replace(/[^\x20-\x7E]/g, '?');
}
