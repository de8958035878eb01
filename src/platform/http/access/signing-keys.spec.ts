import { createHash } from 'node:crypto';
import { Test } from '@nestjs/testing';
import { settingsWith } from '../../../../test/support/settings';
import { Settings } from '../../base/settings/settings';
import { deriveKey, SigningKeys, signingKeysProvider } from './signing-keys';

const secrets = ['the first secret, which signs the tokens', 'the second secret, which was first before'];
// A comma separates them in JWT_SECRET.
const withoutCommas = secrets.map((secret) => secret.replace(',', ''));
const keys = new SigningKeys(secrets);

describe('the signing keys', () => {
  it('sign with the first secret, and find the others by id', () => {
    const { currentId, current } = new SigningKeys(secrets.slice(1));
    const found = [keys.currentId, currentId, 'x', undefined].map((id) => keys.find(id)?.export().toString());
    expect(found).toEqual([...secrets, undefined, undefined]);
    expect([keys.current, current].map((key) => key.export().toString())).toEqual(secrets);
  });

  it('are listed once each, the one that signs first', () => {
    const { all } = new SigningKeys([...secrets, secrets[0]!]);
    expect(all.map((key) => key.export().toString())).toEqual(secrets);
  });

  it('have ids that are the same in every instance, and no plain hash of the secret', () => {
    const [first = ''] = secrets;
    expect(new SigningKeys([first]).currentId).toBe(keys.currentId);
    expect(keys.currentId).toMatch(/^[\w-]{8}$/);
    expect(createHash('sha256').update(first).digest('base64url')).not.toContain(keys.currentId);
  });

  it('are those of JWT_SECRET', async () => {
    const settings = { provide: Settings, useValue: settingsWith({ JWT_SECRET: withoutCommas.join() }) };
    const module = await Test.createTestingModule({ providers: [settings, signingKeysProvider] }).compile();
    expect(module.get(SigningKeys).all.map((key) => key.export().toString())).toEqual(withoutCommas);
  });

  it('and what is derived from them stay the same in a new version, so tokens outlive it', () => {
    // Computed with Python: SHA-256, and the HKDF of RFC 5869.
    expect(keys.currentId).toBe('a2ni59z_');
    const derived = deriveKey(keys.current, 'refresh tokens').toString('base64url');
    expect(derived).toBe('HDE8MWrYAjAj5dMJPX0eErxGFNkc56HHHNx_PW9_P0w');
  });
});
