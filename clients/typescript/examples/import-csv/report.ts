import { explained, visible } from './refusal.ts';
import type { RefusedFile } from './refused-file.ts';
import { API, CONSUMER, OWNER, type Row } from './rows.ts';
import type { Result } from './save-rows.ts';

interface Options {
  /** Whether nothing is written. */
  isDry: boolean;
  /** Whether unchanged rows are listed too. */
  isVerbose: boolean;
}

/** Says what becomes of the rows, and counts. */
export class Report {
  readonly counts: Record<Result['outcome'], number> = { created: 0, updated: 0, unchanged: 0, refused: 0 };
  readonly #reasons = new Map<string, number>();
  readonly #options: Options;
  readonly #refused: RefusedFile | undefined;

  constructor(options: Options, refused: RefusedFile | undefined) {
    this.#options = options;
    this.#refused = refused;
  }

  add({ number, cells, values }: Row, { outcome, changed, reasons }: Result): void {
    this.counts[outcome]++;
    for (const { text } of reasons) {
      const reason = text.replace(/ at position \d+/, '');
      this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1);
    }
    const details = visible(reasons.map(explained).join('; ')) || changed.join(', ');
    if (outcome === 'refused') this.#refused?.add(values, details);
    const isListed = outcome === 'refused' || this.#options.isVerbose;
    if (!isListed && (this.#options.isDry || outcome === 'unchanged')) return;
    const name = visible(
      [CONSUMER, OWNER, API, 'name']
        .map((column) => cells[column])
        .filter(Boolean)
        .join(': ')
        .replace(/[ \t\n]+/g, ' '),
    );
    console.log(
      `row ${number}: ${this.#wordsOf(outcome)}: ${[name, details && `(${details})`].filter(Boolean).join(' ')}`,
    );
  }

  /** The totals, and how often each reason refused a row. */
  end(): void {
    const outcomes = Object.keys(this.counts) as Result['outcome'][];
    const totals = outcomes.map((outcome) => `${this.counts[outcome]} ${this.#wordsOf(outcome)}`).join(', ');
    console.log(`${totals}.${this.#options.isDry ? ' Nothing was written; --apply writes.' : ''}`);
    const reasons = [...this.#reasons].sort(([, one], [, other]) => other - one);
    for (const [text, count] of reasons) console.log(`${count} × ${visible(text)}`);
  }

  #wordsOf(outcome: Result['outcome']): string {
    return this.#options.isDry && (outcome === 'created' || outcome === 'updated') ? `would be ${outcome}` : outcome;
  }
}
