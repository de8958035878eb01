import { hashOfToken, isApiKey, newApiKey } from './api-key';

describe('an API key', () => {
  it('has its prefix, 43 random characters and 6 of a checksum', () => {
    const keys = Array.from({ length: 200 }, newApiKey);
    expect(keys.filter((key) => !/^roster_[0-9A-Za-z]{49}$/.test(key) || !isApiKey(key))).toEqual([]);
    expect(new Set(keys).size).toBe(200);
    // Each of the 62 digits is among 8,600 random ones.
    expect(new Set(keys.map((key) => key.slice(7, -6)).join('')).size).toBe(62);
  });

  it('ends with the CRC-32 of its random characters in base 62, so scanners can tell it from other text', () => {
    // Computed with Python: zlib.crc32(b'0' * 43) is 2018072207.
    expect(isApiKey(`roster_${'0'.repeat(43)}2CZclj`)).toBe(true);
  });

  it('with one wrong character is none', () => {
    const key = newApiKey();
    for (let index = 0; index < key.length; index += 1) {
      const other = key[index] === 'a' ? 'b' : 'a';
      expect(isApiKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false);
    }
    for (const text of ['', 'roster_', `${key}0`, ` ${key}`, `${key}\n`]) expect(isApiKey(text)).toBe(false);
  });

  it('is known by its SHA-256, which every version stores in the same way', () => {
    // Computed with Python, like the CRC-32.
    expect(hashOfToken(`roster_${'0'.repeat(43)}2CZclj`)).toBe('KutCtDwqR40n7UCnVUQuGRCPgKXlRgRgCFx5wEUPwYw');
  });
});
