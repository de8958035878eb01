import { isCommonPassword } from './common-passwords';
import { Password, PresentedSecret } from './password-fields';
import { EmailAddress, Text, Username } from './text-fields';
import { validateFields } from './validate-fields';

class Person {
  @Username()
  username!: string;

  @Text({ max: 255, kind: 'name' })
  companyName!: string;

  @EmailAddress()
  email!: string;

  @Password({ optional: true })
  password?: string;
}

class Login {
  @PresentedSecret()
  password!: string;

  @PresentedSecret({ max: 3, optional: true })
  token?: string;
}

const ada = { username: 'ada-lovelace', companyName: 'Straße & Söhne', email: 'ada@engines.example' };
const errorsOf = (dto: new () => object, values: object): unknown[] =>
  validateFields(dto, values).fieldErrors.map(({ code, title, detail }) => [code, title, detail]);

describe('a new password', () => {
  it.each(['h7#kQ2!z', '😀1'.repeat(4), 'x1'.repeat(64), '  two words ', 'ada-lovelace2', 'Engines Ltd', 'aaaaaaab'])(
    'may be %j',
    (password) => expect(errorsOf(Person, { ...ada, password })).toEqual([]),
  );

  it('is stored as NFC, and never trimmed', () => {
    const { value } = validateFields(Person, { ...ada, password: ' e\u0301 long secret ' });
    expect(value.password).toBe(' é long secret ');
  });

  const tooShort = 'must be at least 8 characters long';
  const tooLong = 'must be at most 128 characters long';
  const ownName = 'must not be the username, e-mail address or company name';
  it.each<[unknown, number, string]>([
    ['', 5622, 'must not be blank'],
    [12345678, 5002, 'must be a string'],
    ['long\udc00secret', 5432, 'contains characters that are not allowed'],
    ['a1b2c3d', 5005, tooShort],
    ['😀'.repeat(7), 5005, tooShort],
    [`${'x1'.repeat(64)}y`, 5006, tooLong],
    ['x'.repeat(10_000), 5006, tooLong],
    ['Iloveyou', 5014, 'is too common'],
    ['😀'.repeat(8), 5014, 'must not repeat one character'],
    ['e\u0301'.repeat(128), 5014, 'must not repeat one character'],
    ['ADA-Lovelace', 5014, ownName],
    ['Ada@Engines.example', 5014, ownName],
    ['STRASSE & SO\u0308HNE', 5014, ownName],
  ])('cannot be %j: %i', (password, code, detail) => {
    expect(errorsOf(Person, { ...ada, password })).toEqual([[code, 'password', detail]]);
  });

  it('is compared with the names as they are stored', () => {
    const padded = { ...ada, companyName: '  Analytical Engines ', password: 'analytical engines' };
    expect(errorsOf(Person, padded)).toEqual([[5014, 'password', ownName]]);
  });

  it('is validated even if the names are invalid', () => {
    const names = { username: 1, companyName: undefined, email: { toLowerCase: 1 } };
    expect(errorsOf(Person, { ...names, password: 'short' })).toContainEqual([5005, 'password', tooShort]);
    expect(errorsOf(Person, { ...names, password: 'long enough' })).toHaveLength(3);
  });

  it.each([
    ['the password', { ...ada, password: '\u0301\u0323'.repeat(16_000) }],
    ['a name', { ...ada, companyName: '\u0301\u0323'.repeat(16_000), password: 'long enough' }],
  ])('is validated in little time if %s is 64 KiB of combining marks', (_, values) => {
    const began = performance.now();
    expect(errorsOf(Person, values)).toHaveLength(1);
    expect(performance.now() - began).toBeLessThan(150);
  });
});

describe('a presented password', () => {
  it.each(['x', '  ', 'password', 'é'.repeat(128)])('may be %j', (password) => {
    expect(errorsOf(Login, { password })).toEqual([]);
  });

  it.each<[unknown, number]>([
    [undefined, 5001],
    ['', 5622],
    [1, 5002],
    ['a\ud800', 5432],
    ['é'.repeat(129), 5006],
  ])('cannot be %j: %i', (password, code) => {
    expect(errorsOf(Login, { password })).toEqual([[code, 'password', expect.any(String)]]);
  });

  it('may have another limit', () => {
    expect(errorsOf(Login, { password: 'x', token: 'abc' })).toEqual([]);
    expect(errorsOf(Login, { password: 'x', token: 'abcd' })).toEqual([
      [5006, 'token', 'must be at most 3 characters long'],
    ]);
  });
});

describe('the list of common passwords', () => {
  it.each(['password', '12345678', 'PASSWORD1', 'iLoveYou'])('has %s, in any case', (password) => {
    expect(isCommonPassword(password)).toBe(true);
  });

  it.each(['correct horse battery', 'passwore', '', '123456'])('does not have %j', (password) => {
    expect(isCommonPassword(password)).toBe(false);
  });
});
