import { isEmailAddress } from './email-address';
import { isPhoneNumber, plainPhoneNumber } from './phone-number';
import { webAddressProblem } from './web-address';

const HOST = /domain name or an IP address/;
const FORM = /must be an http or https URL/;
const OTHER = /must be percent-encoded|must be sent as %25|port of at most 65535/;

it.each([
  'HTTPS://EXAMPLE.com:8443/a?b=c#d',
  'https://münchen.example/ü',
  'http://[::1]:3000/',
  'http://localhost',
  'https://xn--mnchen-3ya.example',
  'http://192.0.2.1:80',
  'http://a:65535',
  'https://a_b.example./',
  'https://例え.テスト/パス?ク=エ#片',
  'https://h.example?a[b]=%20#c',
  "https://h.example/~a(b)*!$&',;=:@+/",
])('%s is a web address', (url) => expect(webAddressProblem(url)).toBeUndefined());

it.each<[RegExp, string[]]>([
  [FORM, ['example.com', '//example.com', 'ftp://a', 'javascript:alert(1)', 'http://', 'https://?a', 'http://u@a']],
  [FORM, ['https:///a.example', 'https://@a.example', 'https:/a.example', 'https://a@b@c', 'http://[::1', 'http://a:']],
  [HOST, ['https://a..b', 'https://.a', 'https://a..', 'https://-a', 'https://127.1', 'http://0x7f.1', 'https://a!b']],
  [HOST, ['http://017.0.0.1', 'http://2130706433', 'https://a。b', 'https://ａ']],
  [OTHER, ['https://a:65536', 'http://a/b c', 'https://a\\b', 'https://a/<b>', 'https://a/`', 'https://a/[b]']],
  [
    OTHER,
    ['https://a/\u202eb', 'https://a/\ufe0f', 'https://a/\u2800', 'https://a/\ue000', 'https://a/%zz', 'https://a/%'],
  ],
])('a web address is refused with %s: %j', (problem, urls) => {
  for (const url of urls) expect([url, webAddressProblem(url)]).toEqual([url, expect.stringMatching(problem)]);
});

it.each<[boolean, string[]]>([
  [
    true,
    ['Ünï+tag@ex-ample.example', "!#$%&'*+/=?^_`{|}~-.a@b.example", 'a@1.2', 'a@b--c.d', 'a@xn--bcher-kva.example'],
  ],
  [true, ['用户@例子.广告', 'अजय@डाटा.भारत', 'می\u200cخواهم@می\u200cخواهم.example', 'a@paral·lel.example', 'é²@b']],
  [false, ['a', 'a@', '@b', 'a@b@c', 'a b@c', 'a@b..c', 'a@.b', 'a@b.', 'a@b;', '<a@b>', 'mailto:a@b', '"a"@b']],
  [false, ['“a@b”', 'a@b。', '＜a@b＞', 'a@b…', '📧a@b', 'a@[1.2]', 'a@-b', 'a@b_c', 'a@b:1', 'a..b@c', '.a@b']],
  [false, ['\u200da@b', 'a@b\u200d', 'a@ｂ', 'a@①.c', 'a@b｡c', 'a@b．c', 'a@i❤.c', 'a@אb', `a@${'b'.repeat(64)}`]],
])('an e-mail address: %j for %j', (isOne, texts) => {
  for (const text of texts) expect([text, isEmailAddress(text)]).toEqual([text, isOne]);
});

it.each([
  [' +49 (30) 1.2/3-4 ', '+49 (30) 1.2/3-4'],
  ['+49\u00a030\u2011123\u201345\u2212678', '+49 30-123-45-678'],
  ['\u202a+47 22 12\u202c', '+47 22 12'],
  ['（０３０）１２３', '(030)123'],
  ...['ext. 12', ' Ext 12', ', ext.12', 'x12', ' extension 12', ' #12', ';ext=12'].map((end) => [
    `123-4567${end}`,
    '123-4567 ext. 12',
  ]),
])('the telephone number %j is stored as %j', (sent, stored) => {
  expect([plainPhoneNumber(sent, 30), isPhoneNumber(stored)]).toEqual([stored, true]);
});

it.each(['call me', 'ext. 12345', '٠١٢٣٤٥', '1234a', '123-4567¹', '-----', '. . . .', '-- ext. 123', '1-2--'])(
  '%j is no telephone number',
  (text) => expect(isPhoneNumber(plainPhoneNumber(text, 30))).toBe(false),
);
