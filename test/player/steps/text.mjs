import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedBody, newWord, userBody } from '../client.mjs';
import { created, invalid } from '../expect.mjs';
import { admin, alice } from '../main.mjs';

/** Text at its bounds: contract §1.6, §3 */

const SHRUG = '\u{1F937}';
const long = (length, word = newWord()) => (word + 'x'.repeat(length)).slice(0, length);

/** Each of these values of a field of an Organization gets this field error. */
async function refused(field, code, ...values) {
  for (const value of values)
    invalid(await alice.post('/organizations', namedBody({ [field]: value })), `${code} ${field}`);
}

/** Accepts a value of a field of an Organization and stores it, by default as it was sent. */
async function stored(field, value, expected = value) {
  const record = created(await alice.post('/organizations', namedBody({ [field]: value })));
  assert.equal(record[field], expected);
}

test('A name has 1–255 code points, after NFC and trimming by White_Space', async () => {
  const [word, other] = [newWord(), newWord()];
  const decomposed = other + 'e\u0301'.repeat(255 - other.length);
  await stored('name', word + SHRUG.repeat(255 - word.length));
  await stored('name', `\u3000 ${decomposed}\u2009`, decomposed.normalize('NFC'));
  await stored('description', '\ufeffd\ufeff');
  await refused('name', 5006, long(256), SHRUG.repeat(256));
});

test('Control characters, lone surrogates and, in names, format characters are forbidden', async () => {
  await refused('name', 5432, 'a\u0000b', 'a\u007fb', 'a\tb', 'a\nb', 'a\u200bb', 'a\u202eb', '\ufeffab');
  await refused('description', 5432, 'a\u0000b', 'a\rb', 'a\u007fb');
  invalid(await alice.post('/organizations', '{"name":"\\ud800","url":"https://example.com"}'), '5432 name');
  await stored('name', `${newWord()} \u{1F468}\u200d\u{1F469} می\u200cخواهم`);
  await stored('description', 'a\u200bb');
});

test('A description has at most 1000 characters, and CRLF becomes LF', async () => {
  for (const empty of [undefined, null, '   ']) await stored('description', empty, '');
  await stored('description', 'a\r\nb\tc\n\nd', 'a\nb\tc\n\nd');
  await stored('description', SHRUG.repeat(1000));
  await refused('description', 5006, SHRUG.repeat(1001));
});

test('A URL has a host, no credentials and no white space, and is stored as sent', async () => {
  const base = 'https://example.com/';
  for (const url of ['HTTP://EXAMPLE.com', 'http://[::1]/', 'https://bücher.example/ü', long(2048, base)])
    await stored('url', url);
  await refused('url', 5006, long(2049, base));
  await refused('url', 5007, 'example.com', '//example.com', 'ftp://example.com', 'javascript:alert(1)', 'https://?x');
  await refused('url', 5007, 'https://u@example.com', 'https://exa mple.com', 'https://example.com:99999');
});

test('The fields of a User have their own rules', async () => {
  const email = (last) => `${long(64)}@${['x'.repeat(63), 'y'.repeat(63), 'z'.repeat(last)].join('.')}`;
  for (const [field, code, value] of [
    ['username', 5005, 'ab'],
    ['username', 5006, long(31)],
    ['username', 5007, '_abc'],
    ['username', 5007, 'a.b'],
    ['username', 5007, 'аbc'],
    ['email', 5006, email(62)],
    ['email', 5007, 'a@b@example.com'],
    ['companyName', 5006, long(256)],
  ])
    invalid(await admin.post('/users', userBody({ [field]: value })), `${code} ${field}`);
  const longest = { username: long(30), email: email(61), companyName: SHRUG.repeat(255) };
  assert.equal(longest.email.length, 254);
  created(await admin.post('/users', userBody(longest)));
});
