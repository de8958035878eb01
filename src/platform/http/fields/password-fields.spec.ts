import { describeFields, each } from '../../../../test/support/field-kinds';
import { Password, PresentedSecret } from './password-fields';
import { EmailAddress, Text, Username } from './text-fields';
import { validateFields } from './validate-fields';

class Person {
  @Username() username!: string;
  @Text({ max: 255, kind: 'name' }) companyName!: string;
  @EmailAddress() email!: string;
  @Password({ optional: true }) password?: string;
}

describeFields([
  {
    kind: 'Password',
    decorator: () => Password(),
    schema: { type: String, format: 'password', minLength: 8, maxLength: 128, required: true },
    accepted: [
      ['h7#kQ2!z'],
      ['😀1'.repeat(4)],
      ['x1'.repeat(64)],
      ['  two words '],
      [' e\u0301 secret ', ' é secret '],
    ],
    refused: [
      ['', 'blank', 'must not be blank'],
      [12345678, 'wrongType', 'must be a string'],
      ['long\udc00secret', 'forbiddenCharacters'],
      ...each(['a1b2c3d', '😀'.repeat(7)], 'tooShort', 'must be at least 8 characters long'),
      ...each([`${'x1'.repeat(64)}y`, 'x'.repeat(10_000)], 'tooLong', 'must be at most 128 characters long'),
      ['Iloveyou', 'tooCommon', 'is too common'],
      ...each(['😀'.repeat(8), 'e\u0301'.repeat(128)], 'tooCommon', 'must not repeat one character'),
    ],
  },
  {
    kind: 'PresentedSecret',
    decorator: () => PresentedSecret(),
    schema: { type: String, format: 'password', minLength: 1, maxLength: 128, required: true },
    accepted: [['x'], ['  '], ['password'], ['é'.repeat(128)], ['e\u0301', 'é']],
    refused: [
      ['', 'blank'],
      [1, 'wrongType', 'must be a string'],
      ['a\ud800', 'forbiddenCharacters'],
      ['é'.repeat(129), 'tooLong', 'must be at most 128 characters long'],
    ],
  },
  {
    kind: 'PresentedSecret with another limit',
    decorator: () => PresentedSecret({ max: 3, optional: true }),
    schema: { type: String, format: 'password', minLength: 1, maxLength: 3, required: false, nullable: true },
    accepted: [[undefined], ['abc']],
    refused: [['abcd', 'tooLong', 'must be at most 3 characters long']],
  },
]);

class Secrets {
  @Password() password!: string;
  @PresentedSecret({ optional: true }) currentPassword?: string;
  @PresentedSecret({ optional: true, max: 4096 }) refreshToken?: string;
}

it.each([2000, 8190, 60_000])('%i combining marks, which take long to normalize, are not normalized', (length) => {
  const normalize = jest.spyOn(String.prototype, 'normalize');
  const marks = `a${'\u0301'.repeat(length / 2)}${'\u0316'.repeat(length / 2)}`;
  validateFields(Secrets, { password: marks, currentPassword: marks, refreshToken: marks });
  const lengths = (normalize.mock.contexts as string[]).map((text) => text.length);
  normalize.mockRestore();
  expect(Math.max(0, ...lengths)).toBeLessThanOrEqual(1024);
});

const ada = { username: 'ada-lovelace', companyName: 'Straße & Söhne', email: 'ada@engines.example' };
const errorsOf = (dto: new () => object, values: object): unknown[] =>
  validateFields(dto, values).fieldErrors.map(({ code, title, detail }) => [code, title, detail]);

describe('a new password', () => {
  const common = [5014, 'password', 'is too common'];
  const ownName = [5014, 'password', 'must not be the username, e-mail address or company name'];

  it.each([
    [[ownName], ['ADA-Lovelace', 'Ada@Engines.example', 'STRASSE & SO\u0308HNE']],
    [[common], ['password', '12345678', 'PASSWORD1', 'iLoveYou']],
    [[], ['ada-lovelace2', 'Engines Ltd', 'aaaaaaab', 'correct horse battery', 'passwore']],
  ])('cannot be one of the names, or common, in any case: %j for %j', (errors, passwords) => {
    expect(passwords.map((password) => errorsOf(Person, { ...ada, password }))).toEqual(passwords.map(() => errors));
  });

  it('is compared with the names as they are stored', () => {
    const padded = { ...ada, companyName: '  Analytical Engines ', password: 'analytical engines' };
    expect(errorsOf(Person, padded)).toEqual([ownName]);
  });

  it('is validated even if the names are invalid', () => {
    const names = { username: 1, companyName: undefined, email: { toLowerCase: 1 } };
    expect(errorsOf(Person, { ...names, password: 'short' })).toContainEqual([5005, 'password', expect.any(String)]);
    expect(errorsOf(Person, { ...names, password: 'long enough' })).toHaveLength(3);
  });
});
