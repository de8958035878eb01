/** A screen that keeps what is written to it. */
export class Paper {
  text = '';

  constructor(
    readonly isTTY = true,
    private readonly onWrite: (text: string) => void = () => undefined,
  ) {}

  write(text: string): void {
    this.text += text;
    this.onWrite(text);
  }
}
