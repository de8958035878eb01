import { compareWithDecoy, DECOY, hashPassword, isOutdated, isPassword } from './passwords';

describe('passwords', () => {
  it('match their own hash only', async () => {
    const stored = await hashPassword('a long-winded passphrase');
    expect(await isPassword('a long-winded passphrase', stored)).toBe(true);
    expect(await isPassword('a long-winded passphrasf', stored)).toBe(false);
  });

  it('are salted, so equal ones have different hashes', async () => {
    expect(await hashPassword('a long-winded passphrase')).not.toBe(await hashPassword('a long-winded passphrase'));
  });

  it('are compared to the last character, however long', async () => {
    const stored = await hashPassword(`${'x'.repeat(127)}a`);
    expect(await isPassword(`${'x'.repeat(127)}b`, stored)).toBe(false);
  });

  it('are hashed with the current parameters, and a hash with others is outdated', async () => {
    expect(isOutdated(await hashPassword('a long-winded passphrase'))).toBe(false);
    expect(isOutdated('$argon2id$v=19$m=4096,t=1,p=1$c29tZXNhbHQ$aGFzaA')).toBe(true);
  });

  it('of unknown accounts are compared with a decoy, hashed with the current parameters', async () => {
    expect(isOutdated(DECOY)).toBe(false);
    expect(await compareWithDecoy('a long-winded passphrase')).toBe(false);
  });
});
