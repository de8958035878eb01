import { createHash } from 'node:crypto';
import { Test } from '@nestjs/testing';
import { Settings } from '../config/settings';
import { SigningKeys, signingKeysProvider } from './signing-keys';

const secrets = ['the first secret, which signs the tokens', 'the second secret, which was first before'];
const keys = new SigningKeys(secrets);

describe('the signing keys', () => {
  it('sign with the first secret, and know the others by name', () => {
    const { currentId, current } = new SigningKeys(secrets.slice(1));
    expect(keys.find(keys.currentId)?.export().toString()).toBe(secrets[0]);
    expect(keys.current.export()).toEqual(keys.find(keys.currentId)?.export());
    expect(keys.find(currentId)?.export()).toEqual(current.export());
    expect(currentId).not.toBe(keys.currentId);
  });

  it('are all given, the one that signs first, each once', () => {
    const { all } = new SigningKeys([...secrets, secrets[0]!]);
    expect(all.map((key) => key.export().toString())).toEqual(secrets);
  });

  it('have names of their own that every instance knows them by, and that are no hash of the secret alone', () => {
    const [first = ''] = secrets;
    expect(new SigningKeys([first]).currentId).toBe(keys.currentId);
    expect(keys.currentId).toMatch(/^[\w-]{8}$/);
    expect(createHash('sha256').update(first).digest('base64url')).not.toContain(keys.currentId);
  });

  it('are at least one', () => expect(() => new SigningKeys([])).toThrow('no secret'));

  it('know none without a name, nor by another', () => {
    expect([keys.find(undefined), keys.find('x')]).toEqual([undefined, undefined]);
  });

  it('come from the settings', async () => {
    const settings = { provide: Settings, useValue: { jwtSecrets: secrets } };
    const module = await Test.createTestingModule({ providers: [settings, signingKeysProvider] }).compile();
    expect(module.get(SigningKeys).currentId).toBe(keys.currentId);
  });
});
