import { createHash } from 'node:crypto';
import { SigningKeys } from './signing-keys';

const secrets = ['the first secret, which signs the tokens', 'the second secret, which was first before'];
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
});
