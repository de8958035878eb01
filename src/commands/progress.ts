/** An output: `process.stderr`, or an object of a test. */
export interface Screen {
  write(text: string): unknown;
}

/** Time between two lines (ms). */
const LINE_MS = 5000;

/** Shows how far one kind of records is. */
export class Progress {
  done = 0;
  private lastLine = Date.now();

  constructor(
    private readonly screen: Screen,
    private readonly title: string,
    readonly total: number,
  ) {}

  /** @param count how many more records are done */
  advance(count: number): void {
    this.done += count;
    if (Date.now() - this.lastLine < LINE_MS) return;
    this.lastLine = Date.now();
    this.screen.write(`· ${this.title} ${this.done} of ${this.total} …\n`);
  }

  end(summary: string): void {
    this.screen.write(`✔ ${this.title}: ${summary}\n`);
  }
}
