import { shown } from './refused-token';

it.each<[unknown, string]>([
  ['text', 'text'],
  [['one', 2, { three: 3 }], 'one and 2 and {"three":3}'],
  [undefined, 'missing'],
  [null, 'null'],
  ['a\nb\u00e9c\u007f ~', 'a?b?c? ~'],
  ['\u{1F6A2}'.repeat(101), '??'.repeat(100)],
])('A value of a token is shown as one short line of ASCII: %j', (value, expected) => {
  expect(shown(value)).toBe(expected);
});
