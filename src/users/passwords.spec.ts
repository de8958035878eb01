import { compareWithDecoy, DECOY, hashPassword, isOutdated, isPassword } from './passwords';

describe('passwords', () => {
  it('match their own hash only, to the last character, and equal ones have different hashes', async () => {
    const password = `a long-winded passphrase ${'x'.repeat(102)}a`;
    const stored = await hashPassword(password);
    expect(await isPassword(password, stored)).toBe(true);
    expect(await isPassword(`${password.slice(0, -1)}b`, stored)).toBe(false);
    expect(await hashPassword(password)).not.toBe(stored);
  });

  it('are hashed with the current parameters, those of unknown accounts compared with such a hash', async () => {
    expect([await hashPassword('a long-winded passphrase'), DECOY].map(isOutdated)).toEqual([false, false]);
    expect(isOutdated('$argon2id$v=19$m=4096,t=1,p=1$c29tZXNhbHQ$aGFzaA')).toBe(true);
    expect(await compareWithDecoy('a long-winded passphrase')).toBe(false);
  });
});
