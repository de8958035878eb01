import { appendFileSync, writeFileSync } from 'node:fs';
import type { Table } from './read-csv.ts';
import { REFUSED } from './rows.ts';
import { stringify } from 'csv-stringify/sync';

/** Collects refused rows as they stand in a table, with the reasons in the first column, which an import skips. */
export class RefusedFile {
  readonly #path: string;
  readonly #delimiter: string;
  /** Columns of reasons that a table has already are left out. */
  readonly #isReason: boolean[];

  /** Empties the file. @throws Error if it cannot be written */
  constructor(path: string, { header, delimiter }: Table, columns: string[]) {
    this.#path = path;
    this.#delimiter = delimiter;
    this.#isReason = columns.map((name) => name === REFUSED);
    // Excel takes a file without a byte order mark for one that is not in UTF-8.
    writeFileSync(path, `\ufeff${this.#line(REFUSED, header)}`);
  }

  add(values: string[], reasons: string): void {
    appendFileSync(this.#path, this.#line(reasons, values));
  }

  #line(first: string, values: string[]): string {
    return stringify([[first, ...values.filter((_, index) => !this.#isReason[index])]], { delimiter: this.#delimiter });
  }
}
