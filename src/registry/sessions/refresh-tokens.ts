import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { hashOfToken } from '../../platform/http/access/api-key';
import { deriveKey, SigningKeys } from '../../platform/http/access/signing-keys';

/** The parts of a token in bytes: the ids of User and session, a secret, and a signature of all three. */
const ID = 12;
const SECRET = 32;
const SIGNATURE = 16;
const CONTENT = 2 * ID + SECRET;

/** What a refresh token says. */
export interface RefreshToken {
  readonly userId: Types.ObjectId;
  readonly sessionId: Types.ObjectId;
  /** Whether a key in use signed it. The current token of a session may have been signed by a key that was removed. */
  readonly isSigned: boolean;
}

type Keys = Readonly<Record<'successor' | 'signature', Buffer>>;

/**
 * Makes and reads refresh tokens (ADR 12). The ids find the session by its primary key. The successor of a token
 * is derived from it, so a client that lost a response gets the same token again, although only hashes are stored.
 */
@Injectable()
export class RefreshTokens {
  private readonly keys: readonly Keys[];

  constructor(keys: SigningKeys) {
    this.keys = keys.all.map((key) => ({
      successor: deriveKey(key, 'roster refresh tokens'),
      signature: deriveKey(key, 'roster refresh token signatures'),
    }));
  }

  first(userId: Types.ObjectId, sessionId: Types.ObjectId): string {
    return signed(this.keys[0]!, userId.id, sessionId.id, randomBytes(SECRET));
  }

  successor(token: string): string {
    return successorBy(this.keys[0]!, token);
  }

  /**
   * The token that followed this one and is stored as `hash`. Another key may have made it: before a restart with a new
   * `JWT_SECRET`, or on an instance that has not been restarted yet.
   * @returns undefined when no key in use made it
   */
  successorStoredAs(hash: string, token: string): string | undefined {
    return this.keys.map((keys) => successorBy(keys, token)).find((successor) => hashOfToken(successor) === hash);
  }

  /** What the token says; undefined for text that is no refresh token. */
  read(token: string): RefreshToken | undefined {
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length !== CONTENT + SIGNATURE || bytes.toString('base64url') !== token) return undefined;
    const idAt = (start: number): Types.ObjectId => new Types.ObjectId(bytes.toString('hex', start, start + ID));
    const [content, signature] = [bytes.subarray(0, CONTENT), bytes.subarray(CONTENT)];
    const isSigned = this.keys.some((keys) => timingSafeEqual(signatureOf(keys, content), signature));
    return { userId: idAt(0), sessionId: idAt(ID), isSigned };
  }
}

function successorBy(keys: Keys, token: string): string {
  const ids = Buffer.from(token, 'base64url').subarray(0, 2 * ID);
  return signed(keys, ids, createHmac('sha256', keys.successor).update(token).digest());
}

function signed(keys: Keys, ...parts: Uint8Array[]): string {
  const content = Buffer.concat(parts);
  return Buffer.concat([content, signatureOf(keys, content)]).toString('base64url');
}

function signatureOf(keys: Keys, content: Buffer): Buffer {
  return createHmac('sha256', keys.signature).update(content).digest().subarray(0, SIGNATURE);
}
