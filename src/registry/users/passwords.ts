import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { hash, Options, verify } from '@node-rs/argon2';
import type { Types } from 'mongoose';
import { clientAddress } from '../../platform/operations/limits/client-address';
import { WorkQueue } from '../../platform/base/work-queue';

/** argon2id with 19 MiB, two passes, one lane: OWASP's first recommendation (Password Storage Cheat Sheet). */
const PARAMETERS: Options = {
  algorithm: 2, // the enum is a const one, which isolated modules cannot read
  memoryCost: 19 * 1024,
  timeCost: 2,
  parallelism: 1,
};

/** Beginning of a hash with the current parameters. */
const CURRENT = '$argon2id$v=19$m=19456,t=2,p=1$';

/** The hash of a random password, with the current parameters. */
const DECOY = '$argon2id$v=19$m=19456,t=2,p=1$Iqop8wOWifNeSlxioN7sqQ$IQFaKYoDFSOIxLr5qaN1VNJxqm8v8xD4fialhq+y2kw';

/** The client that a password is hashed for; empty for the service itself. */
export interface HashedFor {
  /** The id of its account, if it is logged in or its address is known to the account. */
  readonly account?: Types.ObjectId | undefined;
  /** `request.ip` */
  readonly ip?: string | undefined;
}

/**
 * Hashes and compares passwords, a few at a time (contract §8.3): a hash takes tens of milliseconds of a core and 19
 * MiB, and one core stays free for everything else. Not for transactions.
 */
@Injectable()
export class Passwords {
  private readonly queue = new WorkQueue({
    running: Math.max(availableParallelism() - 1, 1),
    waiting: 100,
    waitingPerKey: 5,
    waitingPerPreferredKey: 50,
  });

  /** The hash to store of a password (NFC). @throws ApiError overloaded */
  hash(password: string, hashedFor: HashedFor): Promise<string> {
    return this.enqueue(hashedFor, () => hash(password, PARAMETERS));
  }

  /**
   * @param passwordHash none for an unknown account, null for one without a password: that takes the same work, so
   * timing reveals nothing
   */
  async matches(password: string, passwordHash: string | null | undefined, hashedFor: HashedFor): Promise<boolean> {
    const isRight = await this.enqueue(hashedFor, () => verify(passwordHash ?? DECOY, password));
    return isRight && typeof passwordHash === 'string';
  }

  private enqueue<T>({ account, ip }: HashedFor, work: () => Promise<T>): Promise<T> {
    return account ? this.queue.run(account.toHexString(), work, true) : this.queue.run(clientAddress(ip), work);
  }
}

/** Recognizes a hash that was made with other parameters than the current ones. */
export function isOutdated(passwordHash: string): boolean {
  return !passwordHash.startsWith(CURRENT);
}
