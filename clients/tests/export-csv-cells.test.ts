import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { marked, unmarked } from '../typescript/examples/import-csv/safe-cell.ts';

const CHANGED = [
  ...[
    '=1+1',
    '=HYPERLINK("https://x.example")',
    '+47 22 12 34 56',
    '-1',
    '-nets',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '＝1',
    '＠a',
  ],
  ...[
    '007',
    '12345678901234567890',
    '1e5',
    '1.5E+10',
    '1,5',
    '5 %',
    '€ 5',
    '(5)',
    '٣',
    '2026-03-16',
    '16.03.2026',
    '3/4',
  ],
  ...[
    '2026-03-16T20:07:54+01:00',
    '12:30',
    '5 pm',
    '5:30 a.m.',
    'MARCH1',
    '1 Dec',
    'Sep 2026',
    '5-May-26',
    '2026年3月',
  ],
  ...['true', 'FALSE', 'Wahr', '#N/A', '#REF!', '#####', 'Err:502', "'=1", "''007", "'''#N/A"],
];
const UNCHANGED = [
  ...['Nets', 'Net Sizes 2', 'v1.0', "'s-Hertogenbosch", "'", "''", "'quoted'", 'a=b', 'x@y.example', ' ', ''],
  ...[
    'https://x.example/?a=1',
    'dec',
    'Maypole 1 of 2',
    'untrue',
    '6b087a5d0a70e42d6cc4ae01',
    'nets 2026',
    '日本',
    '#nets',
  ],
];

describe('a cell of an export', () => {
  it('has a mark where a spreadsheet would run or convert its text, and only there', () => {
    assert.deepEqual(
      CHANGED.filter((text) => marked(text) !== `'${text}`),
      [],
    );
    assert.deepEqual(
      UNCHANGED.filter((text) => marked(text) !== text),
      [],
    );
  });

  it('comes back as the same text', () => {
    const pieces = ["'", '=', '-', '0', '1', 'e', 'a', ' ', '#N/A', 'May', 'true', '\n', '\ufeff', '😀', '年'];
    const texts = [...CHANGED, ...UNCHANGED, '9'.repeat(2000), "'".repeat(1000)];
    for (const one of pieces) for (const two of pieces) for (const three of pieces) texts.push(one + two + three);
    assert.deepEqual(
      texts.filter((text) => unmarked(marked(text)) !== text),
      [],
    );
    assert.equal(new Set(texts.map(marked)).size, new Set(texts).size);
  });
});
