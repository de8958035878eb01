import { fieldsOf } from './field';
import { RecordId, RecordIds } from './id-fields';
import { judge } from './judge';
import { Password, PresentedSecret } from './password-fields';
import { EmailAddress, Text, WebUrl } from './text-fields';
import { Flag, ListOf, OneOf } from './value-fields';

class Base {
  @Text({ max: 5, kind: 'name' })
  name!: string;
}

class Sample extends Base {
  @Text({ min: 3, max: 5, pattern: /^[a-z]*$/, form: 'must be letters', optional: true })
  handle?: string;

  @Text({ max: 5, kind: 'paragraphs', default: '' })
  description!: string;

  @WebUrl({ optional: true })
  url?: string;

  @WebUrl({ default: null })
  documentationUrl!: string | null;

  @EmailAddress({ optional: true })
  email?: string;

  @Password({ optional: true })
  password?: string;

  @PresentedSecret({ optional: true })
  currentPassword?: string;

  @RecordId({ default: null })
  fileId!: string | null;

  @RecordIds({ max: 4, default: [] })
  ids!: string[];

  @OneOf(['design', 'testing'], { default: 'design' })
  status!: string;

  @ListOf(['admin', 'guest'], { optional: true })
  roles?: string[];

  @Flag({ default: false })
  isPublic!: boolean;

  @ListOf(['admin', 'guest'], { default: ['guest'] })
  groups!: string[];
}

const id = (digit: string): string => digit.repeat(24);
const faultsOf = (values: object): unknown[] =>
  judge(Sample, { name: 'a', ...values }).faults.map(({ code, title }) => [code, title]);

describe('a field that is left out', () => {
  const defaults = {
    name: 'a',
    description: '',
    documentationUrl: null,
    fileId: null,
    ids: [],
    status: 'design',
    isPublic: false,
    groups: ['guest'],
  };

  it('has its default, or is not there at all', () => {
    const { content, faults } = judge(Sample, { name: 'a' });
    expect(faults).toEqual([]);
    expect({ ...content }).toStrictEqual(defaults);
    expect(content).toBeInstanceOf(Sample);
  });

  it('is the same as one that is null', () => {
    const nulls = Object.fromEntries(fieldsOf(Sample).map((name) => [name, null]));
    expect({ ...judge(Sample, { ...nulls, name: 'a' }).content }).toStrictEqual(defaults);
  });

  it('is the same as one that is a blank text', () => {
    const blanks = { handle: ' ', description: '\n', url: ' ', documentationUrl: '', email: '\t', fileId: '' };
    expect({ ...judge(Sample, { ...blanks, name: 'a' }).content }).toStrictEqual(defaults);
  });

  it('does not share its list with other bodies', () => {
    judge(Sample, {}).content.groups.push('admin');
    expect(judge(Sample, {}).content.groups).toEqual(['guest']);
  });
});

describe('a value is normalized', () => {
  it.each([
    ['name', ' e\u0301 ', 'é'],
    ['description', ' a\r\nb ', 'a\nb'],
    ['url', ' http://a.example/e\u0301 ', 'http://a.example/e\u0301'],
    ['password', ' e\u0301 long secret ', ' é long secret '],
    ['currentPassword', '  ', '  '],
    ['handle', ' abc ', 'abc'],
    ['email', ' a@b ', 'a@b'],
    ['fileId', id('a'), id('a')],
    ['groups', [], []],
  ])('%s', (name, sent, stored) => {
    const { content, faults } = judge(Sample, { name: 'a', [name]: sent });
    expect(faults).toEqual([]);
    expect(content).toHaveProperty(name, stored);
  });
});

describe('the fault of a field', () => {
  it.each<[string, unknown, number]>([
    ['name', undefined, 5001],
    ['name', null, 5001],
    ['name', '', 5622],
    ['name', ' \u3000', 5622],
    ['name', '\u200d\ufe0f', 5622],
    ['name', '\uffa0 \u3164', 5622],
    ['name', 1, 5002],
    ['name', {}, 5002],
    ['name', ['a'], 5002],
    ['name', { constructor: 1 }, 5002],
    ['name', { $gt: '' }, 5002],
    ['name', { then: 1, toString: 1 }, 5002],
    ['name', 'a\u0000', 5432],
    ['name', 'a\ud800', 5432],
    ['name', 'a\u200bb', 5432],
    ['name', 'a\nb', 5432],
    ['name', 'a\u0000bcdefgh', 5432],
    ['name', '😀😀😀😀😀😀', 5006],
    ['handle', 'ab', 5005],
    ['handle', 'AB', 5005],
    ['handle', 'ABC', 5007],
    ['handle', 'abcdeF', 5006],
    ['description', false, 5002],
    ['description', 'a\u0007', 5432],
    ['url', 'ftp://a', 5007],
    ['url', `http://a/${'b'.repeat(2040)}`, 5006],
    ['email', 'a', 5007],
    ['email', 'a@', 5007],
    ['email', '@b', 5007],
    ['email', 'a@b@c', 5007],
    ['email', 'a b@c', 5007],
    ['email', 'a@b..c', 5007],
    ['email', `a@${'b'.repeat(253)}`, 5006],
    ['password', 'a1b2c3d', 5005],
    ['password', '', 5622],
    ['password', '😀'.repeat(7), 5005],
    ['password', 'x1'.repeat(64) + 'y', 5006],
    ['password', 'PassWord1', 5014],
    ['password', 'long\udc00secret', 5432],
    ['password', 12345678, 5002],
    ['password', 'x'.repeat(10_000), 5006],
    ['password', 'Iloveyou', 5014],
    ['currentPassword', '', 5622],
    ['currentPassword', 'a'.repeat(129), 5006],
    ['fileId', 'x', 5007],
    ['fileId', id('A'), 5007],
    ['fileId', ` ${id('a')}`, 5007],
    ['fileId', 7, 5002],
    ['ids', 'a', 5002],
    ['ids', { length: 1, 0: id('a') }, 5002],
    ['ids', [1, 2, 3, 4, 5], 5010],
    ['status', 'live', 5008],
    ['status', '', 5008],
    ['status', 1, 5002],
    ['roles', {}, 5002],
    ['isPublic', 'true', 5002],
    ['isPublic', 0, 5002],
  ])('%s: %j is %i', (name, value, code) => expect(faultsOf({ [name]: value })).toEqual([[code, name]]));

  it.each<[string, unknown[], number, number]>([
    ['ids', [id('a'), 7], 5002, 1],
    ['ids', [id('a'), null], 5002, 1],
    ['ids', [{ constructor: { name: 1 } }], 5002, 0],
    ['ids', ['x', id('a'), id('a')], 5007, 0],
    ['ids', [id('a'), id('a'), 'x'], 5011, 1],
    ['ids', [id('a'), id('b'), id('a')], 5011, 2],
    ['ids', ['x', 'x'], 5007, 0],
    ['roles', ['root'], 5008, 0],
    ['roles', ['admin', 'admin'], 5011, 1],
    ['roles', ['admin', ['admin']], 5002, 1],
  ])('%s: %j is %i at item %i', (name, value, code, at) => {
    expect(faultsOf({ [name]: value })).toEqual([[code, `${name}.${at}`]]);
  });

  it.each([
    ['name', 'abcde'],
    ['name', '😀'.repeat(5)],
    ['handle', 'abc'],
    ['password', '😀'.repeat(8)],
    ['password', 'x1'.repeat(64)],
    ['email', 'Ünï+tag@ex-ample.example'],
    ['email', `a@${'b'.repeat(252)}`],
    ['url', `http://a/${'b'.repeat(2039)}`],
    ['ids', [id('a'), id('b'), id('c'), id('d')]],
    ['roles', []],
    ['status', 'testing'],
    ['isPublic', true],
  ])('%s: there is none in %j', (name, value) => expect(faultsOf({ [name]: value })).toEqual([]));
});

describe('fieldsOf', () => {
  it('gives base classes first, then the order of declaration', () => {
    expect(fieldsOf(Sample).slice(0, 3)).toEqual(['name', 'handle', 'description']);
  });

  it('is the order of the faults', () => {
    const wrong = Object.fromEntries([...fieldsOf(Sample)].reverse().map((name) => [name, 1]));
    expect(faultsOf(wrong)).toEqual(fieldsOf(Sample).map((name) => [5002, name]));
  });

  it('does not take a field that is declared twice', () => {
    const declareAgain = (): void => Flag()(Sample.prototype, 'name');
    expect(declareAgain).toThrow('declared twice');
  });
});

describe('judge', () => {
  it('takes no field from a prototype, and gives the instance none that is not declared', () => {
    const inherited = Object.create({ name: 'a' }) as object;
    expect(judge(Sample, inherited).faults).toMatchObject([{ code: 5001, title: 'name' }]);
    const polluting = JSON.parse('{"name":"a","__proto__":{"polluted":1},"constructor":{"prototype":{}}}') as object;
    const { content } = judge(Sample, polluting);
    expect(Object.getPrototypeOf(content)).toBe(Sample.prototype);
    expect(content).not.toHaveProperty('polluted');
  });
});
