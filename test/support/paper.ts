/** A screen that keeps what is written to it. */
export class Paper {
  text = '';

  write(text: string): void {
    this.text += text;
  }
}
