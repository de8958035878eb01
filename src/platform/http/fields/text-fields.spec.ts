import { describeFields, each } from '../../../../test/support/field-kinds';
import { TEXT_PATTERN } from '../../base/text/text';
import { EmailAddress, ExternalId, PhoneNumber, Text, Username, WebUrl } from './text-fields';

const longUrl = (length: number): string => `http://a/${'b'.repeat(length - 9)}`;
const urlForm = 'must be an http or https URL with a host and without credentials';
const urlPattern = '^\\s*[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@\\\\]';
const takes = expect.stringContaining('international') as string;
const hostForm = 'must have a domain name or an IP address in its usual form as its host';
const usernameForm = 'must contain only A–Z, a–z, 0–9, _ and -, and must not start with _ or -';
const emailForm = 'must be an e-mail address';
const emailPattern = expect.stringContaining('@') as string;
const optional = { type: String, required: false, nullable: true };

describeFields([
  {
    kind: 'Text, a required name',
    decorator: () => Text({ max: 5, kind: 'name' }),
    schema: { type: String, minLength: 1, maxLength: 5, pattern: TEXT_PATTERN, required: true },
    accepted: [['a'], ['abcd'], ['abcde'], ['😀'.repeat(5)], [' e\u0301 ', 'é'], ['a\u200db']],
    refused: [
      ...each(['', ' \u3000', '\u200d\ufe0f', '\uffa0 \u3164'], 'blank'),
      ...each([1, {}, ['a'], { constructor: 1 }, { then: 1, toString: 1 }], 'wrongType', 'must be a string'),
      ...each(['a\u0000', 'a\ud800', 'a\u200bb', 'a\nb', 'a\u0000bcdefgh'], 'forbiddenCharacters'),
      ['😀abc\u200e', 'forbiddenCharacters', 'contains U+200E at position 5, which is not allowed'],
      ['😀'.repeat(6), 'tooLong', 'must be at most 5 characters long'],
    ],
  },
  {
    kind: 'Text with a form',
    decorator: () => Text({ min: 3, max: 5, pattern: /^[a-z]+$/, message: 'must be letters', default: '' }),
    schema: { ...optional, maxLength: 5, pattern: '^\\s*$|^[a-z]+$' },
    accepted: [[null, ''], [' ', ''], ['abc'], ['abcde']],
    refused: [
      ['AB', 'tooShort', 'must be at least 3 characters long'],
      ['ABCDEF', 'tooLong', 'must be at most 5 characters long'],
      ['ABC', 'badFormat', 'must be letters'],
    ],
  },
  {
    kind: 'Text of paragraphs',
    decorator: () => Text({ max: 5, kind: 'paragraphs', default: '' }),
    schema: { ...optional, maxLength: 5, pattern: TEXT_PATTERN },
    accepted: [[' a\r\nb\t', 'a\nb'], ['\n', ''], ['a\tb']],
    refused: [[false, 'wrongType'], ...each(['a\u0007', 'a\rb'], 'forbiddenCharacters')],
  },
  {
    kind: 'Text, optional',
    decorator: () => Text({ max: 5, optional: true }),
    schema: { ...optional, maxLength: 5, pattern: TEXT_PATTERN },
    accepted: [['a\u200eb'], ['\ufeff']],
    refused: [['a\tb', 'forbiddenCharacters']],
  },
  {
    kind: 'WebUrl',
    decorator: () => WebUrl(),
    schema: { type: String, maxLength: 2048, pattern: urlPattern, required: true, 'x-takes': takes },
    accepted: [
      [longUrl(2047)],
      [longUrl(2048)],
      [' http://a.example/e\u0301 ', 'http://a.example/e\u0301'],
      ['HTTPS://EXAMPLE.com:8443/a?b=c#d'],
      ['https://münchen.example/ü'],
      ['http://[::1]:3000/'],
      ['http://localhost'],
      ...[
        'https://xn--mnchen-3ya.example',
        'http://192.0.2.1:80',
        'http://a:65535',
        'https://a_b.example./',
        'https://例え.テスト/パス?ク=エ#片',
      ].map((one): [string] => [one]),
      ...['https://h.example?a[b]=%20#c', "https://h.example/~a(b)*!$&',;=:@+/"].map((one): [string] => [one]),
    ],
    refused: [
      [' ', 'blank'],
      ...each(['http://a/b\u0000', 'http://exa\tmple.com'], 'forbiddenCharacters'),
      ...each(
        ['example.com', '//example.com', 'ftp://a', 'javascript:alert(1)', 'data:text/html,x'],
        'badFormat',
        urlForm,
      ),
      ...each(['http://', 'http:///', 'https://?a', 'http://user@example.com', 'http://:password@a'], 'badFormat'),
      ...each(
        ['http://a/b c', 'http://a/\u2003b', 'http://a:99999', 'http://[::1', 'http://a<b', 'http://a:'],
        'badFormat',
      ),
      // Programs disagree about their host.
      ...each(
        ['https://a.example\\@b.example', 'https:///a.example', 'https://@a.example', 'https://:@a'],
        'badFormat',
      ),
      ...each(['https:/a.example', 'https:a.example', 'https:\\\\a', 'https://a\\b', 'https://a@b@c'], 'badFormat'),
      ...each(
        ['https://a..b', 'https://.a', 'https://a..', 'https://-a', 'https://127.1', 'http://0x7f.1'],
        'badFormat',
        hostForm,
      ),
      ...each(['https://a:65536', 'https://a.b:99999/c'], 'badFormat', 'must have a port of at most 65535'),
      ...each(
        ['http://017.0.0.1', 'http://2130706433', 'https://a。b', 'https://ａ', 'https://%61', 'https://a!b'],
        'badFormat',
        hostForm,
      ),
      ...each(
        ['https://a/<b>', 'https://a/"', 'https://a/{b}', 'https://a/|', 'https://a/^', 'https://a/`'],
        'badFormat',
      ),
      ...each(
        ['https://a/\u202eb', 'https://a\u200b.b', 'https://a/\u00ad', 'https://a/\ufe0f', 'https://a/\u2800'],
        'badFormat',
      ),
      ...each(['https://a/[b]', 'https://a/#b#c', 'https://a/\ue000', 'https://a/\ufdd0', 'https://a]'], 'badFormat'),
      ...each(
        ['https://a.example/%zz', 'https://a.example/%az', 'https://a.example/%'],
        'badFormat',
        'has U+0025 at position 19, which must be sent as %25',
      ),
      ['https://😀.a/\u202e', 'badFormat', 'has U+202E at position 13, which must be percent-encoded'],
      [longUrl(2049), 'tooLong', 'must be at most 2048 characters long'],
    ],
  },
  {
    kind: 'WebUrl, optional',
    decorator: () => WebUrl({ default: '' }),
    schema: { ...optional, maxLength: 2048, pattern: `^\\s*$|${urlPattern}`, 'x-takes': takes },
    accepted: [[' ', '']],
    refused: [['a', 'badFormat']],
  },
  {
    kind: 'EmailAddress',
    decorator: () => EmailAddress(),
    schema: { type: String, minLength: 1, maxLength: 254, pattern: emailPattern, required: true },
    accepted: [
      ['Ünï+tag@ex-ample.example'],
      [' a@b ', 'a@b'],
      ...["!#$%&'*+/=?^_`{|}~-.a@b.example", 'a@1.2', `${'a'.repeat(64)}@b`, `a@${'b'.repeat(63)}.c`, 'a@b--c.d'].map(
        (one): [string] => [one],
      ),
      ...['用户@例子.广告', 'अजय@डाटा.भारत', 'می\u200cخواهم@می\u200cخواهم.example', 'a@paral·lel.example', 'é²@b'].map(
        (one): [string] => [one],
      ),
      ['a@xn--bcher-kva.example'],
    ],
    refused: [
      ['', 'blank'],
      ...each(['a', 'a@', '@b', 'a@b@c', 'a b@c', 'a@b c', 'a@b..c', 'a@.b', 'a@b.'], 'badFormat', emailForm),
      // What a copy from a mail program or a page leaves on, in all scripts.
      ...each(['a@b;', 'a@b,', '<a@b>', 'A<a@b>', 'mailto:a@b', 'http://a@b', '"a"@b', 'a(b)@c', "'a@b'"], 'badFormat'),
      ...each(['“a@b”', '«a@b»', 'a@b。', 'a@b；', '＜a@b＞', 'a@b…', 'a@b’', '‘a@b', '【a@b】', '📧a@b'], 'badFormat'),
      ...each(['a@b,c', 'a@b/c', 'a@b\\c', 'a@]', 'a@[1.2]', 'a@-b', 'a@b-', 'a@b_c', 'a@b?c', 'a@b:1'], 'badFormat'),
      ...each(['a..b@c', 'a.@b', '.a@b', 'a@b"><script>', '\u200da@b', 'a\u200db@c', 'a@b\u200d'], 'badFormat'),
      ...each(['a@ｂ', 'a@①.c', 'a@b。c', 'a@b．c', 'a@b｡c', 'a@i❤.c', 'a@אb', `a@${'b'.repeat(64)}`], 'badFormat'),
      ...each(
        [`${'a'.repeat(65)}@b`, `${'é'.repeat(33)}@b`],
        'badFormat',
        'must have at most 64 bytes of UTF-8 before the @',
      ),
      ['a\u200b@b', 'forbiddenCharacters'],
      [`a@${'b'.repeat(253)}`, 'tooLong'],
    ],
  },
  {
    kind: 'PhoneNumber, of a field that was added later',
    decorator: () => PhoneNumber({ nullable: true }),
    schema: { ...optional, maxLength: 30, pattern: '^\\s*$|[0-9\\uFF10-\\uFF19]' },
    accepted: [
      [undefined],
      [null, null],
      [' ', null],
      ['12345'],
      ['1-2-3'],
      [' +49 (30) 1.2/3-4 ', '+49 (30) 1.2/3-4'],
      ['1'.repeat(30)],
      ['+49\u00a030\u2011123\u201345\u2212678', '+49 30-123-45-678'],
      ['\u202a+47 22 12\u202c', '+47 22 12'],
      ['（０３０）１２３', '(030)123'],
      ...[
        '123-4567 ext. 12',
        '123-4567 Ext 12',
        '123-4567, ext.12',
        '123-4567x12',
        '123-4567 extension 12',
        '123-4567 #12',
        '123-4567ext12',
        '123-4567;ext=12',
      ].map((one): [string, string] => [one, '123-4567 ext. 12']),
    ],
    refused: [
      ['1234', 'tooShort', 'must be at least 5 characters long'],
      ['1'.repeat(31), 'tooLong', 'must be at most 30 characters long'],
      ...each(['call me', 'ext. 12345', '123 ext. x', '٠١٢٣٤٥', '1234a', '123-4567¹', '123-456½'], 'badFormat'),
      ...each(['-----', '(((((', '+++++', '. . . .', '/////', '+-1-2', '-- ext. 123', '1-2--'], 'badFormat'),
    ],
  },
  {
    kind: 'Username',
    decorator: () => Username(),
    schema: { type: String, minLength: 3, maxLength: 30, pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*$', required: true },
    accepted: [['Ada'], ['a_b-C'], ['9lives'], ['a--'], ['x'.repeat(30)]],
    refused: [
      ['\u200d\u200d\u200d', 'blank'],
      ['ab\u200bc', 'forbiddenCharacters'],
      ['ab', 'tooShort'],
      ['x'.repeat(31), 'tooLong'],
      ...each(['_ab', '-ab', 'a.b', 'a b', 'abc!', 'äbc'], 'badFormat', usernameForm),
    ],
  },
  {
    kind: 'ExternalId',
    decorator: () => ExternalId(),
    schema: { ...optional, maxLength: 255, pattern: TEXT_PATTERN },
    accepted: [[undefined], [null, null], [' ', null], [' Crm-7 ', 'Crm-7'], ['x'.repeat(255)]],
    refused: [
      ['a\u200bb', 'forbiddenCharacters'],
      ['x'.repeat(256), 'tooLong'],
    ],
  },
]);
