import { createHash, createSecretKey, hkdfSync, KeyObject } from 'node:crypto';
import { Provider } from '@nestjs/common';
import { jwtSecrets } from '../../base/settings/secret';
import { Settings } from '../../base/settings/settings';

/** The keys of access tokens as KeyObjects: verifying with a string takes forty times as long. */
export class SigningKeys {
  private readonly byId: ReadonlyMap<string | undefined, KeyObject>;
  /** Every key in use, the one that signs first. */
  readonly all: readonly KeyObject[];
  /** The key that signs, and its id for the `kid` header of a token. */
  readonly current: KeyObject;
  readonly currentId: string;

  /** @param secrets at least one, each of at least 32 bytes; the first signs, all verify */
  constructor(secrets: readonly string[]) {
    this.byId = new Map(secrets.map((secret) => [idOf(secret), createSecretKey(secret, 'utf8')]));
    this.all = [...this.byId.values()];
    this.current = this.all[0]!;
    this.currentId = idOf(secrets[0]!);
  }

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
