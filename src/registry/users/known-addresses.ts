import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { deriveKey, SigningKeys } from '../../platform/http/access/signing-keys';
import { clientAddress, NO_ADDRESS } from '../../platform/operations/limits/client-address';
import type { KnownAddress, User } from './user.schema';

/** Addresses of a User that are remembered. */
const MAX_KNOWN = 20;

/** Time for which an address is remembered after the last login from it. */
const MEMORY_MS = 30 * 24 * 3600 * 1000;

type Visitor = Pick<User, '_id' | 'knownAddresses'>;

/**
 * Knows the addresses that Users logged in from. Only keyed hashes are stored: without `JWT_SECRET`, nobody who reads
 * the database can try all addresses.
 */
@Injectable()
export class KnownAddresses {
  private readonly keys: readonly Buffer[];

  constructor(keys: SigningKeys) {
    this.keys = keys.all.map((key) => deriveKey(key, 'roster known addresses'));
  }

  /** Tells if the User logged in from there lately. @param ip `request.ip` */
  has(user: Visitor, ip: string | undefined): boolean {
    const hashes = this.hashes(user, ip);
    return recent(user).some(({ hash }) => hashes.includes(hash));
  }

  /** Addresses to store after a login from there. @param ip `request.ip` */
  after(user: Visitor, ip: string | undefined): KnownAddress[] {
    const hashes = this.hashes(user, ip);
    const others = recent(user).filter(({ hash }) => !hashes.includes(hash));
    return [...others, ...hashes.slice(0, 1).map((hash) => ({ hash, lastLoginAt: new Date() }))].slice(-MAX_KNOWN);
  }

  /** One per key, the current one's first; none for a client without an address, which could be anybody. */
  private hashes({ _id }: Visitor, ip: string | undefined): string[] {
    const address = clientAddress(ip);
    if (address === NO_ADDRESS) return [];
    return this.keys.map((key) =>
      createHmac('sha256', key).update(`${_id.toHexString()} ${address}`).digest('base64url'),
    );
  }
}

function recent({ knownAddresses = [] }: Visitor): readonly KnownAddress[] {
  return knownAddresses.filter(({ lastLoginAt }) => Date.now() - lastLoginAt.getTime() < MEMORY_MS);
}
