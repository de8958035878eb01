import { isCommonPassword } from './common-passwords';

describe('isCommonPassword', () => {
  it.each(['password', '12345678', 'PASSWORD1', 'iLoveYou'])('knows %s, in any case', (password) => {
    expect(isCommonPassword(password)).toBe(true);
  });

  it.each(['correct horse battery', 'passwore', ''])('lets %j pass', (password) => {
    expect(isCommonPassword(password)).toBe(false);
  });

  it('does not keep those that are too short to be asked about', () => {
    expect(isCommonPassword('123456')).toBe(false);
  });
});
