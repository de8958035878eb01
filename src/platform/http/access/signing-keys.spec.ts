import { createHash } from 'node:crypto';
import { deriveKey, SigningKeys } from './signing-keys';

const secrets = ['the first secret, which signs the tokens', 'the second secret, which was first before'];

test('The id of a signing key is the same in every instance and version, and no plain hash of the secret', () => {
  const keys = new SigningKeys(secrets);
  expect(createHash('sha256').update(secrets[0]!).digest('base64url')).not.toContain(keys.currentId);
  // Computed with Python: SHA-256, and the HKDF of RFC 5869.
  expect(keys.currentId).toBe('a2ni59z_');
  const derived = deriveKey(keys.current, 'refresh tokens').toString('base64url');
  expect(derived).toBe('HDE8MWrYAjAj5dMJPX0eErxGFNkc56HHHNx_PW9_P0w');
});
