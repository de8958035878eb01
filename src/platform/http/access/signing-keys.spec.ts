import { createHash } from 'node:crypto';
import { deriveKey, SigningKeys } from './signing-keys';

const secrets = ['the first secret, which signs the tokens', 'the second secret, which was first before'];
const keys = new SigningKeys(secrets);

test('Signing keys sign with the first secret, and find the others by id; each is listed once', () => {
  const { currentId, current } = new SigningKeys(secrets.slice(1));
  const found = [keys.currentId, currentId, 'x', undefined].map((id) => keys.find(id)?.export().toString());
  expect(found).toEqual([...secrets, undefined, undefined]);
  expect([keys.current, current].map((key) => key.export().toString())).toEqual(secrets);
  const { all } = new SigningKeys([...secrets, secrets[0]!]);
  expect(all.map((key) => key.export().toString())).toEqual(secrets);
});

test('The id of a signing key is the same in every instance and version, and no plain hash of the secret', () => {
  expect(createHash('sha256').update(secrets[0]!).digest('base64url')).not.toContain(keys.currentId);
  // Computed with Python: SHA-256, and the HKDF of RFC 5869.
  expect(keys.currentId).toBe('a2ni59z_');
  const derived = deriveKey(keys.current, 'refresh tokens').toString('base64url');
  expect(derived).toBe('HDE8MWrYAjAj5dMJPX0eErxGFNkc56HHHNx_PW9_P0w');
});
