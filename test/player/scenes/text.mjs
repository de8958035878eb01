import { created, faulty, same } from '../expect.mjs';

const SHRUG = '\u{1F937}';
const long = (length, word) => (word + 'x'.repeat(length)).slice(0, length);

async function post(world, fields) {
  const alice = await world.person('alice');
  return alice.post('/organizations', world.organizationFields(fields));
}

/** Each value of the field must be refused with this one code. */
async function refused(world, field, code, values) {
  for (const value of values) faulty(await post(world, { [field]: value }), [[code, field]]);
}

/** Each value must be taken, and stored as said. */
async function stored(world, field, pairs) {
  for (const [sent, kept] of pairs) same(created(await post(world, { [field]: sent }))[field], kept, `${field} stored`);
}

const asSent = (values) => values.map((value) => [value, value]);

/** @type {import('../play.mjs').Scene[]} Text rules at their bounds: contract §1.6, §3 */
export const scenes = [
  [
    'lengths count code points, after NFC and trimming: name 1–255',
    async (world) => {
      const [word, other] = [world.word(), world.word()];
      const astral = word + SHRUG.repeat(255 - word.length);
      const decomposed = other + 'e\u0301'.repeat(255 - other.length);
      await stored(world, 'name', asSent([long(254, world.word()), long(255, world.word()), astral]));
      await stored(world, 'name', [[`  ${decomposed}  `, decomposed.normalize('NFC')]]);
      await refused(world, 'name', 5006, [long(256, 'x'), `${astral}x`, SHRUG.repeat(256), 'x'.repeat(5000)]);
    },
  ],
  [
    'required but empty or blank: 5622; null counts as left out: 5001; another type: 5002',
    async (world) => {
      await refused(world, 'name', 5622, ['', ' ', '\u3000\u2003\u00a0\u2028']);
      await refused(world, 'url', 5622, ['', '  ']);
      await refused(world, 'name', 5001, [null, undefined]);
      await refused(world, 'name', 5002, [5, true, [], {}, ['a'], { $ne: null }]);
      await refused(world, 'url', 5002, [0, false, ['https://example.com']]);
    },
  ],
  [
    'trimmed by Unicode White_Space, which U+FEFF is not',
    async (world) => {
      const [one, two] = [world.word(), world.word()];
      await stored(world, 'name', [
        [`\u3000 ${one}\u2009`, one],
        [` ${two} ${two} `, `${two} ${two}`],
      ]);
      await stored(world, 'description', [
        ['\ufeffd\ufeff', '\ufeffd\ufeff'],
        ['\u1680d\u205f', 'd'],
      ]);
    },
  ],
  [
    'control characters and lone surrogates are faults (5432), NUL and DEL among them',
    async (world) => {
      await refused(world, 'name', 5432, [
        'a\u0000b',
        'a\u0007b',
        'a\u001bb',
        'a\u007fb',
        'a\u0085b',
        'a\u009fb',
        'a\tb',
        'a\nb',
      ]);
      await refused(world, 'description', 5432, ['a\u0000b', 'a\rb', 'a\u000bb', 'a\u007fb']);
      for (const raw of ['\\ud800', 'a\\udc00b', '\\udc00\\ud800']) {
        const alice = await world.person('alice');
        faulty(await alice.post('/organizations', `{"name":"${raw}","url":"https://example.com"}`), [[5432, 'name']]);
        const body = `{"name":"${world.word()}","url":"https://example.com","description":"${raw}"}`;
        faulty(await alice.post('/organizations', body), [[5432, 'description']]);
      }
      const name = `${world.word()} \\ud83e\\udd37`;
      const alice = await world.person('alice');
      same(
        created(await alice.post('/organizations', `{"name":"${name}","url":"https://example.com"}`)).name,
        JSON.parse(`"${name}"`),
      );
    },
  ],
  [
    'in names also invisible format characters (Cf), but for ZWJ and ZWNJ',
    async (world) => {
      await refused(world, 'name', 5432, ['a\u200bb', 'a\u202eb', 'a\u00adb', '\ufeffab', 'a\u2066b', 'a\u{E0041}b']);
      await stored(
        world,
        'name',
        asSent([`${world.word()} \u{1F468}\u200d\u{1F469}`, `${world.word()} می\u200cخواهم`]),
      );
      await stored(world, 'description', asSent(['a\u200bb', 'a\u00adb']));
    },
  ],
  [
    'the first of missing, type, characters, length, format is told',
    async (world) => {
      await refused(world, 'name', 5432, ['x'.repeat(300) + '\u0000']);
      await refused(world, 'url', 5006, ['x'.repeat(2049)]);
      await refused(world, 'url', 5432, ['ftp://a\u0000b']);
    },
  ],
  [
    'description: optional, ≤ 1000, "" when left out; tab and newline are fine, CRLF becomes LF',
    async (world) => {
      await stored(world, 'description', [
        [undefined, ''],
        [null, ''],
        ['', ''],
        ['   ', ''],
        ['a\r\nb\tc\n\nd', 'a\nb\tc\n\nd'],
      ]);
      await stored(world, 'description', asSent([SHRUG.repeat(999), SHRUG.repeat(1000), 'x'.repeat(1000)]));
      await stored(world, 'description', [['x\r\n'.repeat(499) + 'xy', 'x\n'.repeat(499) + 'xy']]);
      await refused(world, 'description', 5006, ['x'.repeat(1001), SHRUG.repeat(1001)]);
      await refused(world, 'description', 5002, [5, {}, []]);
    },
  ],
  [
    'URLs: http or https, with a host, without credentials or white space, ≤ 2048, stored as sent',
    async (world) => {
      const base = 'https://example.com/';
      await stored(
        world,
        'url',
        asSent(['HTTP://EXAMPLE.com', 'https://example.com:8443/a?b=c#d', 'http://[::1]/', 'https://bücher.example/ü']),
      );
      await stored(world, 'url', asSent([long(2047, base), long(2048, base)]));
      await refused(world, 'url', 5006, [long(2049, base)]);
      await refused(world, 'url', 5007, [
        'example.com',
        '//example.com',
        'ftp://example.com',
        'javascript:alert(1)',
        'http://',
        'https://?x',
      ]);
      await refused(world, 'url', 5007, [
        'https://u:p@example.com',
        'https://u@example.com',
        'https://exa mple.com',
        'https://example.com/a b',
        'https://example.com:99999',
      ]);
    },
  ],
  [
    'username: 3–30 of A–Z a–z 0–9 _ -, not starting with - or _',
    async (world) => {
      const judged = async (username, code) =>
        faulty(await world.admin.post('/users', world.userFields({ username })), [[code, 'username']]);
      for (const short of ['a', 'ab']) await judged(short, 5005);
      for (const tall of [long(31, 'a'), long(300, 'a')]) await judged(tall, 5006);
      for (const odd of ['-abc', '_abc', 'a b', 'a.b', 'ünï', 'abc@', 'ａｂｃ', 'аbc']) await judged(odd, 5007);
      for (const fine of [long(29, world.word()), long(30, world.word()), `${world.word()}_-9`, '9' + world.word()]) {
        same(created(await world.admin.post('/users', world.userFields({ username: fine }))).username, fine, 'stored');
      }
    },
  ],
  [
    'email ≤ 254 and of the right form; companyName 1–255',
    async (world) => {
      const judged = async (fields, code) =>
        faulty(await world.admin.post('/users', world.userFields(fields)), [[code, Object.keys(fields)[0]]]);
      const local = long(64, world.word());
      const host = (last) => ['x'.repeat(63), 'y'.repeat(63), 'z'.repeat(last)].join('.');
      same(
        created(await world.admin.post('/users', world.userFields({ email: `${local}@${host(61)}` }))).email.length,
        254,
        '254',
      );
      await judged({ email: `${local}@${host(62)}` }, 5006);
      for (const email of ['plain', '@example.com', 'a@', 'a@b@example.com', 'a b@example.com'])
        await judged({ email }, 5007);
      await judged({ email: ['a@example.com'] }, 5002);
      await judged({ companyName: long(256, 'x') }, 5006);
      await judged({ companyName: '\u3000' }, 5622);
      created(await world.admin.post('/users', world.userFields({ companyName: SHRUG.repeat(255) })));
    },
  ],
];
