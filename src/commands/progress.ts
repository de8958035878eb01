/** An output: `process.stderr`, or an object of a test. */
export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const WIDTH = 30;

/** Time between two lines where there is no terminal (ms). */
const LINE_MS = 5000;

/** Makes room for other lines where a terminal shows a bar. */
export function clearLine(screen: Screen): void {
  if (screen.isTTY) screen.write('\r\x1b[K');
}

/** Shows how far one kind of records is: a bar on a terminal, lines elsewhere. */
export class Progress {
  done = 0;
  private lastLine = Date.now();

  constructor(
    private readonly screen: Screen,
    private readonly title: string,
    readonly total: number,
  ) {
    this.advance(0);
  }

  /** @param count how many more records are done */
  advance(count: number): void {
    this.done += count;
    const text = `${this.title} ${this.done} of ${this.total}`;
    if (this.screen.isTTY) {
      const full = Math.round((this.total === 0 ? 1 : Math.min(this.done / this.total, 1)) * WIDTH);
      this.screen.write(`\r\x1b[K${'█'.repeat(full).padEnd(WIDTH, '░')} ${text}`);
    } else if (Date.now() - this.lastLine >= LINE_MS) {
      this.lastLine = Date.now();
      this.screen.write(`· ${text} …\n`);
    }
  }

  end(summary: string): void {
    clearLine(this.screen);
    this.screen.write(`✔ ${this.title}: ${summary}\n`);
  }
}
