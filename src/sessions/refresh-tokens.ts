import { createHash, createHmac, hkdfSync, KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { SigningKeys } from '../auth/signing-keys';

/** Of an id in bytes. */
const ID_BYTES = 12;
const SECRET_BYTES = 32;
const SIGNATURE_BYTES = 16;
const SIGNATURE_AT = 2 * ID_BYTES + SECRET_BYTES;

/** What a refresh token says of itself. */
export interface RefreshToken {
  readonly userId: Types.ObjectId;
  readonly sessionId: Types.ObjectId;
  /** Whether this service made it: a key in use has sealed it. One that is due may bear the signature of a key that is gone. */
  readonly isSigned: boolean;
}

interface Keys {
  readonly successor: Buffer;
  readonly signature: Buffer;
}

/**
 * Refresh tokens: base64url of the ids of user and session, so that the session is found by the primary key; of 32
 * secret bytes; and of a signature. The successor of a token is made from it by HMAC, so that a client whose answer got lost
 * is given the same one again, though only hashes are stored. The signature tells a token that was used long ago, of which
 * nothing is stored, from one that was never given out (ADR 12).
 */
@Injectable()
export class RefreshTokens {
  private readonly keys: readonly Keys[];

  constructor(keys: SigningKeys) {
    this.keys = keys.all.map((key) => ({
      successor: derive(key, 'roster refresh tokens'),
      signature: derive(key, 'roster refresh token signatures'),
    }));
  }

  /** The first token of a session. */
  first(userId: Types.ObjectId, sessionId: Types.ObjectId): string {
    return signed(this.keys[0]!, Buffer.concat([userId.id, sessionId.id, randomBytes(SECRET_BYTES)]));
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
    return this.keys.map((keys) => successorBy(keys, token)).find((successor) => this.hash(successor) === hash);
  }

  /** What the token says of itself; undefined when it is not of the form of one. */
  read(token: string): RefreshToken | undefined {
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length !== SIGNATURE_AT + SIGNATURE_BYTES || bytes.toString('base64url') !== token) return undefined;
    const [userId, sessionId] = [0, ID_BYTES].map(
      (start) => new Types.ObjectId(Uint8Array.from(bytes.subarray(start, start + ID_BYTES))),
    );
    const content = bytes.subarray(0, SIGNATURE_AT);
    const isSigned = this.keys.some(({ signature }) =>
      timingSafeEqual(signatureOf(signature, content), bytes.subarray(SIGNATURE_AT)),
    );
    return { userId: userId!, sessionId: sessionId!, isSigned };
  }

  /** What is stored of a token. It has 256 bits of entropy, so that a fast hash will do. */
  hash(token: string): string {
    return createHash('sha256').update(token).digest('base64url');
  }
}

function successorBy(keys: Keys, token: string): string {
  const secret = createHmac('sha256', keys.successor).update(token).digest();
  const ids = Buffer.from(token, 'base64url').subarray(0, 2 * ID_BYTES);
  return signed(keys, Buffer.concat([ids, secret]));
}

function signed({ signature }: Keys, content: Buffer): string {
  return Buffer.concat([content, signatureOf(signature, content)]).toString('base64url');
}

function signatureOf(key: Buffer, content: Buffer): Buffer {
  return createHmac('sha256', key).update(content).digest().subarray(0, SIGNATURE_BYTES);
}

/** A key of its own for each purpose, so that what signs access tokens makes nothing else. */
function derive(signing: KeyObject, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', signing.export(), '', purpose, 32));
}
