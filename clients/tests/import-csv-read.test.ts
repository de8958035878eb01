import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { letterOf, readCsv } from '../typescript/examples/import-csv/read-csv.ts';

describe('a CSV file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-read-csv-'));
  after(() => rmSync(folder, { recursive: true }));

  /** The rows that can be read, and the numbers of the others. */
  function read(text: string): { rows: string[][]; refused: number[] } {
    const path = join(folder, 'rows.csv');
    writeFileSync(path, text);
    const { header, lines } = readCsv(path);
    const whole = lines.filter(({ problem }) => problem === undefined);
    const refused = lines.filter((line) => !whole.includes(line));
    return { rows: [header, ...whole.map(({ values }) => values)], refused: refused.map(({ number }) => number) };
  }

  const table = [
    ['name', 'url'],
    ['A', 'x\ny'],
    ['B', 'z'],
  ];

  for (const ends of [
    ['\n', '\n', '\n'],
    ['\r\n', '\n', '\r'],
    ['\n', '\r\n', '\n'],
    ['\r', '\r\n', '\n'],
    ['\r\n', '\r', '\r\n'],
  ])
    it(`has rows with any line ending: ${JSON.stringify(ends)}`, () => {
      const [first, inside, last] = ends;
      assert.deepEqual(read(`name,url${first}A,"x${inside}y"${last}B,z${first}`), { rows: table, refused: [] });
    });

  for (const [what, text] of Object.entries({
    semicolons: 'name;url\nA;"x\ny"\nB;z',
    tabs: 'name\turl\nA\t"x\ny"\nB\tz',
    'a first line that names them': 'sep=|\nname|url\nA|"x\ny"\nB|z',
    'a first line as Excel quotes it': '"sep=;"\r\nname;url\r\nA;"x\ny"\r\nB;z',
    'blanks around them': 'name , url\nA, "x\ny" \n B ,z',
  }))
    it(`may have other separators: ${what}`, () => assert.deepEqual(read(text), { rows: table, refused: [] }));

  for (const [what, row] of Object.entries({
    'one too few, and no other after it': 'X,"y',
    'one in a cell without others': 'X,5" y',
    'a word in quotation marks': 'X,a "b" c',
    'one at the end': 'X,y"',
    'text after the last one': 'X,"y" z',
    'one too few in the first cell': '"X,y',
    'one too few after a cell of two lines': '"X\nY","y',
  })) {
    it(`loses only the row with a quotation mark that does not fit: ${what}`, () => {
      for (const last of ['B,z', 'B,"z"', '"B","z"\n']) {
        const { rows, refused } = read(`name,url\nA,"x\ny"\n${row}\n${last}`);
        assert.deepEqual([rows, refused], [table, [3]]);
      }
    });
  }

  it('has no row made of the rest of a cell whose quotation marks do not fit', () => {
    const { rows, refused } = read('name,url,description\nA,x,"We make\nnets, and\n"ropes"\nB,z,\n');
    assert.deepEqual([rows.slice(1), refused], [[['B', 'z', '']], [2, 3, 4]]);
  });
});

it('columns have the letters of a spreadsheet', () => {
  assert.deepEqual([0, 25, 26, 51, 52, 701, 702].map(letterOf), ['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA']);
});
