import { createHash, createHmac, hkdfSync, KeyObject, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { SigningKeys } from '../access/signing-keys';

/** The user's id, so that the session is found by the primary key; then the secret. */
const USER_BYTES = 12;
const SECRET_BYTES = 32;

/**
 * Refresh tokens: base64url of the user's id and 32 secret bytes. The successor of a token is made from it by HMAC, so
 * that a client whose answer got lost is given the same one again, though only hashes are stored.
 */
@Injectable()
export class RefreshTokens {
  private readonly keys: readonly Buffer[];

  constructor(keys: SigningKeys) {
    this.keys = keys.all.map(derive);
  }

  /** A user's first token of a session. */
  first(userId: Types.ObjectId): string {
    return Buffer.concat([userId.id, randomBytes(SECRET_BYTES)]).toString('base64url');
  }

  /** The token that follows this one. */
  successor(token: string): string {
    return successorBy(this.keys[0]!, token);
  }

  /**
   * The token that followed this one and is stored as `hash`. Another key may have made it: before a restart with a new
   * `JWT_SECRET`, or on an instance that has not had that restart yet.
   *
   * @returns undefined when no key in use made it
   */
  successorStoredAs(hash: string, token: string): string | undefined {
    return this.keys.map((key) => successorBy(key, token)).find((successor) => this.hash(successor) === hash);
  }

  /** The user that a token is for; undefined when it is not of the form of a token. */
  userOf(token: string): Types.ObjectId | undefined {
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length !== USER_BYTES + SECRET_BYTES || bytes.toString('base64url') !== token) return undefined;
    return new Types.ObjectId(Uint8Array.from(bytes.subarray(0, USER_BYTES)));
  }

  /** What is stored of a token. It has 256 bits of entropy, so that a fast hash will do. */
  hash(token: string): string {
    return createHash('sha256').update(token).digest('base64url');
  }
}

function successorBy(key: Buffer, token: string): string {
  const secret = createHmac('sha256', key).update(token).digest();
  const user = Buffer.from(token, 'base64url').subarray(0, USER_BYTES);
  return Buffer.concat([user, secret]).toString('base64url');
}

/** A key of its own, so that what signs access tokens makes nothing else. */
function derive(signing: KeyObject): Buffer {
  return Buffer.from(hkdfSync('sha256', signing.export(), '', 'roster refresh tokens', 32));
}
