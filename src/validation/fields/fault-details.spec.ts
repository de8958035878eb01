import { RecordId, RecordIds } from './id-fields';
import { judge } from './judge';
import { Password, PresentedSecret } from './password-fields';
import { EmailAddress, Text, WebUrl } from './text-fields';
import { Flag, ListOf, OneOf } from './value-fields';

class Sample {
  @Text({ max: 5 })
  name!: string;

  @Text({ min: 3, max: 5, pattern: /^[a-z]*$/, form: 'must be letters', optional: true })
  handle?: string;

  @WebUrl({ optional: true })
  url?: string;

  @EmailAddress({ optional: true })
  email?: string;

  @Password({ optional: true })
  password?: string;

  @PresentedSecret({ optional: true })
  currentPassword?: string;

  @RecordId({ optional: true })
  fileId?: string;

  @RecordIds({ max: 4, optional: true })
  ids?: string[];

  @OneOf(['design', 'testing'], { optional: true })
  status?: string;

  @ListOf(['admin', 'guest'], { optional: true })
  roles?: string[];

  @Flag({ optional: true })
  isPublic?: boolean;
}

class Strict {
  @WebUrl()
  url!: string;

  @RecordId()
  fileId!: string;

  @EmailAddress()
  email!: string;
}

const id = (digit: string): string => digit.repeat(24);

describe('the fault', () => {
  it.each<[string, unknown, string]>([
    ['name', undefined, 'is required'],
    ['name', ' ', 'must not be blank'],
    ['name', 1, 'must be a string'],
    ['handle', 'x', 'must be at least 3 characters long'],
    ['handle', 'abcdef', 'must be at most 5 characters long'],
    ['handle', 'ABC', 'must be letters'],
    ['url', 'x', 'must be an http or https URL with a host and without credentials'],
    ['email', 'x', 'must be an e-mail address'],
    ['password', 1, 'must be a string'],
    ['password', 'x', 'must be at least 8 characters long'],
    ['password', 'x1'.repeat(65), 'must be at most 128 characters long'],
    ['currentPassword', 'x'.repeat(129), 'must be at most 128 characters long'],
    ['fileId', 'x', 'must be 24 lower-case hexadecimal digits'],
    ['fileId', 1, 'must be a string'],
    ['ids', 'x', 'must be a list of strings'],
    ['ids', [1, 2, 3, 4, 5], 'must hold at most 4 items'],
    ['ids', ['x'], 'must be 24 lower-case hexadecimal digits'],
    ['ids', [id('a'), id('a')], 'repeats an item'],
    ['status', 'live', 'must be one of: design, testing'],
    ['status', 1, 'must be a string'],
    ['roles', ['root'], 'must be one of: admin, guest'],
    ['isPublic', 1, 'must be true or false'],
  ])('of %s, %j, says what it must be', (name, value, detail) => {
    expect(judge(Sample, { name: 'a', [name]: value }).faults.map((fault) => fault.detail)).toEqual([detail]);
  });
});

describe('the fault of a field that is required', () => {
  it.each<[string, unknown, number]>([
    ['url', ' ', 5622],
    ['url', null, 5001],
    ['fileId', ' ', 5622],
    ['fileId', undefined, 5001],
    ['fileId', id('g'), 5007],
    ['email', '', 5622],
  ])('%s: %j is %i and nothing besides', (name, value, code) => {
    const good = { url: 'http://a', fileId: id('a'), email: 'a@b' };
    expect(judge(Strict, good).faults).toEqual([]);
    const { faults } = judge(Strict, { ...good, [name]: value });
    expect(faults.map((fault) => [fault.code, fault.title])).toEqual([[code, name]]);
  });
});
