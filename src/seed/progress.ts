/** Where progress is shown: `process.stderr`, or an object of a test. */
export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const WIDTH = 30;

/** Elsewhere than on a terminal, a line is written this often (ms). */
const LINE_MS = 5000;

/** Shows how far one kind of records is: a bar on a terminal, lines elsewhere. */
export class Progress {
  private done = 0;
  private added = 0;
  private lastLine = Date.now();

  constructor(
    private readonly screen: Screen,
    private readonly title: string,
    readonly total: number,
  ) {
    this.show();
  }

  /** @param checked how many more records were checked @param added how many of them were missing, and were added */
  advance(checked: number, added: number): void {
    this.done += checked;
    this.added += added;
    this.show();
  }

  /** Writes the last line. */
  end(): void {
    const start = this.screen.isTTY ? '\r\x1b[K' : '';
    this.screen.write(`${start}✔ ${this.title}: ${this.added} added, ${this.total - this.added} there already\n`);
  }

  private show(): void {
    const text = `${this.title} ${this.done} of ${this.total}`;
    if (this.screen.isTTY) {
      const full = Math.round((this.total === 0 ? 1 : this.done / this.total) * WIDTH);
      this.screen.write(`\r\x1b[K${'█'.repeat(full).padEnd(WIDTH, '░')} ${text}`);
    } else if (Date.now() - this.lastLine >= LINE_MS) {
      this.lastLine = Date.now();
      this.screen.write(`· ${text} …\n`);
    }
  }
}
