import { createHash } from 'node:crypto';
import { Test } from '@nestjs/testing';
import { Settings } from '../config/settings';
import { SigningKeys, signingKeysProvider } from './signing-keys';

const secrets = ['the first secret, which signs the tokens', 'the second secret, which was first before'];
const keys = new SigningKeys(secrets);

describe('the signing keys', () => {
  it('sign with the first secret, and find the others by id', () => {
    const { currentId, current } = new SigningKeys(secrets.slice(1));
    expect(keys.find(keys.currentId)?.export().toString()).toBe(secrets[0]);
    expect(keys.current.export()).toEqual(keys.find(keys.currentId)?.export());
    expect(keys.find(currentId)?.export()).toEqual(current.export());
    expect(currentId).not.toBe(keys.currentId);
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

  it('are at least one', () => expect(() => new SigningKeys([])).toThrow('no secret'));

  it('are not found without an id or by an unknown one', () => {
    expect([keys.find(undefined), keys.find('x')]).toEqual([undefined, undefined]);
  });

  it('come from the settings', async () => {
    const settings = { provide: Settings, useValue: { jwtSecrets: secrets } };
    const module = await Test.createTestingModule({ providers: [settings, signingKeysProvider] }).compile();
    expect(module.get(SigningKeys).currentId).toBe(keys.currentId);
  });
});
