/** Where progress is shown: `process.stderr`, or what a test gives. */
export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const WIDTH = 30;

/** Where nobody looks at a bar (a log, CI), a line is written this often (ms). */
const LINE_MS = 5000;

/** Shows how far one kind of records is: a bar on a terminal, lines elsewhere. */
export class Progress {
  private done = 0;
  private added = 0;
  private lastLine = Date.now();

  constructor(
    private readonly screen: Screen,
    private readonly title: string,
    private readonly total: number,
  ) {
    this.show();
  }

  /** @param looked how many records were dealt with @param added how many of them were missing, and were added */
  advance(looked: number, added: number): void {
    this.done += looked;
    this.added += added;
    this.show();
  }

  /** The last line: what was added and what was there. */
  end(): void {
    const start = this.screen.isTTY ? '\r\x1b[K' : '';
    this.screen.write(`${start}✔ ${this.title}: ${this.added} added, ${this.total - this.added} there already\n`);
  }

  private show(): void {
    const share = this.total === 0 ? 1 : this.done / this.total;
    const figures = `${this.done} of ${this.total}`;
    if (this.screen.isTTY) {
      const full = Math.round(share * WIDTH);
      this.screen.write(`\r\x1b[K${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${this.title} ${figures}`);
    } else if (Date.now() - this.lastLine >= LINE_MS) {
      this.lastLine = Date.now();
      this.screen.write(`· ${this.title} … ${figures}\n`);
    }
  }
}
