import { asciiDomain, isDomain } from './domain';

const longest = `${`${'a'.repeat(63)}.`.repeat(3)}${'a'.repeat(61)}`;

test.each([
  ['Bücher.Example', 'xn--bcher-kva.example'],
  ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
  ['A-1.example', 'a-1.example'],
  ['127.1', '127.1'],
  ['a', 'a'],
  [longest, longest],
])('The domain %s is %s in ASCII', (domain, ascii) => expect(asciiDomain(domain)).toBe(ascii));

test.each([
  ...['', '.', 'a.', '.a', 'a..b', '-a', 'a-', 'a.-b', 'a_b', 'a b', 'a@b', 'a\u200b', 'ab\u200d', '❤.example'],
  ...[`${'a'.repeat(64)}.b`, `${longest}a`, `b${longest}`, `${'é'.repeat(60)}.b`],
  // Each label becomes longer in ASCII.
  Array<string>(6)
    .fill(`é${'a'.repeat(39)}`)
    .join('.'),
])('%j is no domain', (text) => {
  expect(asciiDomain(text)).toBeUndefined();
  expect(isDomain(text)).toBe(false);
});

test('A domain has no characters that IDNA replaces, but any form of composition', () => {
  expect(['ｅ.example', '①.example', 'a。b'].map(isDomain)).toEqual([false, false, false]);
  expect(['é.example', 'e\u0301.example', 'É.example'].map(isDomain)).toEqual([true, true, true]);
});
