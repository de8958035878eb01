import { fresh, namedFields, userFields } from '../caller.mjs';
import { created, invalid, same } from '../expect.mjs';

const SHRUG = '\u{1F937}';
const long = (length, word) => (word + 'x'.repeat(length)).slice(0, length);
const asSent = (...values) => values.map((value) => [value, value]);

/** Sends this body of an Organization as it is. */
const sendText = (alice, text) => alice.post('/organizations', text);

/** Each of these values of a field of an Organization gets this field error. */
async function refused(alice, field, code, ...values) {
  for (const value of values)
    invalid(await alice.post('/organizations', namedFields({ [field]: value })), `${code} ${field}`);
}

/** Each value is accepted, and stored as the second one of its pair. */
async function stored(alice, field, ...pairs) {
  for (const [sent, kept] of pairs) {
    const record = created(await alice.post('/organizations', namedFields({ [field]: sent })));
    same(record[field], kept, `${field} stored`);
  }
}

/** Each of these values of a field of a User gets this field error. */
async function refusedUser(admin, field, code, ...values) {
  for (const value of values) invalid(await admin.post('/users', userFields({ [field]: value })), `${code} ${field}`);
}

/** Each value of a field of a User is accepted, and stored as it was sent. */
async function storedUser(admin, field, ...values) {
  for (const value of values)
    same(created(await admin.post('/users', userFields({ [field]: value })))[field], value, `${field} stored`);
}

/** @type {import('../play.mjs').Scenes} Text rules at their bounds: contract §1.6, §3 */
export const scenes = {
  'lengths count code points, after NFC and trimming: name 1–255': async ({ alice }) => {
    const [word, other] = [fresh(), fresh()];
    const astral = word + SHRUG.repeat(255 - word.length);
    const decomposed = other + 'e\u0301'.repeat(255 - other.length);
    await stored(alice, 'name', ...asSent(long(254, fresh()), long(255, fresh()), astral));
    await stored(alice, 'name', [`  ${decomposed}  `, decomposed.normalize('NFC')]);
    await refused(alice, 'name', 5006, long(256, 'x'), `${astral}x`, SHRUG.repeat(256), 'x'.repeat(5000));
  },
  'required, but empty or blank: 5622; null counts as left out: 5001; another type: 5002': async ({ alice }) => {
    await refused(alice, 'name', 5622, '', ' ', '\u3000\u2003\u00a0\u2028');
    await refused(alice, 'url', 5622, '', '  ');
    await refused(alice, 'name', 5001, null, undefined);
    await refused(alice, 'name', 5002, 5, true, [], {}, ['a'], { $ne: null });
    await refused(alice, 'url', 5002, 0, false, ['https://example.com']);
  },
  'text is trimmed by Unicode White_Space, which U+FEFF is not': async ({ alice }) => {
    const [one, two] = [fresh(), fresh()];
    await stored(alice, 'name', [`\u3000 ${one}\u2009`, one], [` ${two} ${two} `, `${two} ${two}`]);
    await stored(alice, 'description', ['\ufeffd\ufeff', '\ufeffd\ufeff'], ['\u1680d\u205f', 'd']);
  },
  'control characters and lone surrogates are 5432, NUL and DEL too': async ({ alice }) => {
    const controls = ['\u0000', '\u0007', '\u001b', '\u007f', '\u0085', '\u009f', '\t', '\n'];
    await refused(alice, 'name', 5432, ...controls.map((control) => `a${control}b`));
    await refused(alice, 'description', 5432, 'a\u0000b', 'a\rb', 'a\u000bb', 'a\u007fb');
    for (const raw of ['\\ud800', 'a\\udc00b', '\\udc00\\ud800']) {
      invalid(await sendText(alice, `{"name":"${raw}","url":"https://example.com"}`), '5432 name');
      const body = `{"name":"${fresh()}","url":"https://example.com","description":"${raw}"}`;
      invalid(await sendText(alice, body), '5432 description');
    }
    const name = `${fresh()} \\ud83e\\udd37`;
    const pair = created(await sendText(alice, `{"name":"${name}","url":"https://example.com"}`));
    same(pair.name, JSON.parse(`"${name}"`), 'a pair of surrogates is a character');
  },
  'in names, invisible format characters (Cf) are 5432 too, except for ZWJ and ZWNJ': async ({ alice }) => {
    await refused(alice, 'name', 5432, 'a\u200bb', 'a\u202eb', 'a\u00adb', '\ufeffab', 'a\u2066b', 'a\u{E0041}b');
    await stored(alice, 'name', ...asSent(`${fresh()} \u{1F468}\u200d\u{1F469}`, `${fresh()} می\u200cخواهم`));
    await stored(alice, 'description', ...asSent('a\u200bb', 'a\u00adb'));
  },
  'the first of missing, type, characters, length, format is reported': async ({ alice }) => {
    await refused(alice, 'name', 5432, 'x'.repeat(300) + '\u0000');
    await refused(alice, 'url', 5006, 'x'.repeat(2049));
    await refused(alice, 'url', 5432, 'ftp://a\u0000b');
  },
  'description: optional, ≤ 1000, "" by default; tab and newline are allowed, CRLF becomes LF': async ({ alice }) => {
    for (const empty of [undefined, null, '', '   ']) await stored(alice, 'description', [empty, '']);
    await stored(alice, 'description', ['a\r\nb\tc\n\nd', 'a\nb\tc\n\nd']);
    await stored(alice, 'description', ...asSent(SHRUG.repeat(999), SHRUG.repeat(1000), 'x'.repeat(1000)));
    await stored(alice, 'description', ['x\r\n'.repeat(499) + 'xy', 'x\n'.repeat(499) + 'xy']);
    await refused(alice, 'description', 5006, 'x'.repeat(1001), SHRUG.repeat(1001));
    await refused(alice, 'description', 5002, 5, {}, []);
  },
  'URLs: http or https, a host, no credentials or white space, ≤ 2048, stored as sent': async ({ alice }) => {
    const base = 'https://example.com/';
    const odd = ['HTTP://EXAMPLE.com', 'https://example.com:8443/a?b=c#d', 'http://[::1]/', 'https://bücher.example/ü'];
    await stored(alice, 'url', ...asSent(...odd, long(2047, base), long(2048, base)));
    await refused(alice, 'url', 5006, long(2049, base));
    const wrong = ['example.com', '//example.com', 'ftp://example.com', 'javascript:alert(1)', 'http://', 'https://?x'];
    const hosts = ['u:p@example.com', 'u@example.com', 'exa mple.com', 'example.com/a b', 'example.com:99999'];
    await refused(alice, 'url', 5007, ...wrong, ...hosts.map((host) => `https://${host}`));
  },
  'username: 3–30 of A–Z a–z 0–9 _ -, not starting with - or _': async ({ admin }) => {
    await refusedUser(admin, 'username', 5005, 'a', 'ab');
    await refusedUser(admin, 'username', 5006, long(31, 'a'), long(300, 'a'));
    await refusedUser(admin, 'username', 5007, '-abc', '_abc', 'a b', 'a.b', 'ünï', 'abc@', 'ａｂｃ', 'аbc');
    await storedUser(admin, 'username', long(29, fresh()), long(30, fresh()), `${fresh()}_-9`, `9${fresh()}`);
  },
  'email: ≤ 254 and an e-mail address; companyName: 1–255': async ({ admin }) => {
    const local = long(64, fresh());
    const email = (last) => `${local}@${['x'.repeat(63), 'y'.repeat(63), 'z'.repeat(last)].join('.')}`;
    same(email(61).length, 254);
    await storedUser(admin, 'email', email(61));
    await refusedUser(admin, 'email', 5006, email(62));
    await refusedUser(admin, 'email', 5007, 'plain', '@example.com', 'a@', 'a@b@example.com', 'a b@example.com');
    await refusedUser(admin, 'email', 5002, ['a@example.com']);
    await refusedUser(admin, 'companyName', 5006, long(256, 'x'));
    await refusedUser(admin, 'companyName', 5622, '\u3000');
    await storedUser(admin, 'companyName', SHRUG.repeat(255));
  },
};
