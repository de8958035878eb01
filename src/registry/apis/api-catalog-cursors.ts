import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey, type SigningKeys } from '../../platform/http/access/signing-keys';

/**
 * Signs where the pages of the catalog continue (contract §12): a caller without login can ask only for what follows a
 * page that was given out, by this instance or another one, or before a restart.
 */
export class ApiCatalogCursors {
  private readonly keys: readonly Buffer[];

  constructor({ all }: SigningKeys) {
    this.keys = all.map((key) => deriveKey(key, 'roster api catalog pages'));
  }

  /** @param id that of the last API of a page */
  sign(id: string): string {
    return signedBy(this.keys[0]!, id);
  }

  /** @returns the id; undefined for a text that none of the keys in use has signed */
  read(cursor: string): string | undefined {
    const [id = ''] = cursor.split('.', 1);
    return this.keys.some((key) => isEqual(signedBy(key, id), cursor)) ? id : undefined;
  }
}

function signedBy(key: Buffer, id: string): string {
  return `${id}.${createHmac('sha256', key).update(id).digest('base64url')}`;
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
