import { isRecordId } from './record-id';

describe('isRecordId', () => {
  const digits = '0123456789abcdef01234567';

  it('takes 24 lower-case hexadecimal digits', () => {
    expect(isRecordId(digits)).toBe(true);
  });

  it.each([
    digits.slice(1),
    `${digits}0`,
    `x${digits}`,
    `${digits}\n`,
    digits.toUpperCase(),
    `${digits.slice(1)}g`,
    '',
  ])('takes nothing else: %j', (text) => {
    expect(isRecordId(text)).toBe(false);
  });
});
