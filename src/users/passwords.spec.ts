import { compareWithNothing, DECOY, hashPassword, isOutdated, isPassword } from './passwords';

describe('passwords', () => {
  it('are known by their hash, and no other is', async () => {
    const stored = await hashPassword('a long-winded passphrase');
    expect(await isPassword('a long-winded passphrase', stored)).toBe(true);
    expect(await isPassword('a long-winded passphrasf', stored)).toBe(false);
  });

  it('of one text have different hashes', async () => {
    expect(await hashPassword('a long-winded passphrase')).not.toBe(await hashPassword('a long-winded passphrase'));
  });

  it('count every character of a long one', async () => {
    const stored = await hashPassword(`${'x'.repeat(127)}a`);
    expect(await isPassword(`${'x'.repeat(127)}b`, stored)).toBe(false);
  });

  it('are hashed with the parameters in force, and a hash with others is outdated', async () => {
    expect(isOutdated(await hashPassword('a long-winded passphrase'))).toBe(false);
    expect(isOutdated('$argon2id$v=19$m=4096,t=1,p=1$c29tZXNhbHQ$aGFzaA')).toBe(true);
  });

  it('of nobody are compared at the price of one with somebody’s', async () => {
    expect(isOutdated(DECOY)).toBe(false);
    expect(await compareWithNothing('a long-winded passphrase')).toBe(false);
  });
});
