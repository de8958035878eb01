import { createHash, createSecretKey, hkdfSync, KeyObject } from 'node:crypto';
import { Provider } from '@nestjs/common';
import { jwtSecrets } from '../config/secret';
import { Settings } from '../config/settings';

/** The keys of access tokens as KeyObjects: verifying with a string takes forty times as long. */
export class SigningKeys {
  private readonly byId = new Map<string | undefined, KeyObject>();
  /** The id of the key that signs, for the `kid` header of a token. */
  readonly currentId: string;
  /** The key that signs. */
  readonly current: KeyObject;
  /** Every key in use, the one that signs first. */
  readonly all: readonly KeyObject[];

  /** @param secrets at least one, each of at least 32 bytes; the first signs, all verify */
  constructor(secrets: readonly string[]) {
    const [first] = secrets;
    if (first === undefined) throw new Error('There is no secret to sign access tokens with.');
    for (const secret of secrets) this.byId.set(idOf(secret), createSecretKey(secret, 'utf8'));
    this.all = [...this.byId.values()];
    this.currentId = idOf(first);
    this.current = this.all[0]!;
  }

  /** The key with this id, if it is still in use. */
  find(id: string | undefined): KeyObject | undefined {
    return this.byId.get(id);
  }
}

/** Waits for the secret: outside production it may have to be generated into `DATA_DIR` first. */
export const signingKeysProvider: Provider = {
  provide: SigningKeys,
  inject: [Settings],
  useFactory: async (settings: Settings) => new SigningKeys(await jwtSecrets(settings)),
};

/** A separate key for another purpose. */
export function deriveKey(signing: KeyObject, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', signing.export(), '', purpose, 32));
}

function idOf(secret: string): string {
  return createHash('sha256').update('roster key id').update(secret).digest('base64url').slice(0, 8);
}
