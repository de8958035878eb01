/** Says that bytes are not a whole image of their format. */
export class BrokenImage extends Error {}

/** @throws BrokenImage unless the image is as its format asks */
export function expectImage(holds: boolean): asserts holds {
  if (!holds) throw new BrokenImage();
}

/** Reads the bytes of an image from front to end. A read beyond the end means that the image is not whole. */
export class ImageReader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  /** Whether everything has been read. */
  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }

  /**
   * The next `length` bytes, not copied.
   *
   * @throws BrokenImage when there are fewer
   */
  take(length: number): Buffer {
    expectImage(length <= this.bytes.length - this.at);
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  /** The next byte. */
  uint8(): number {
    return this.take(1).readUInt8();
  }

  uint16be(): number {
    return this.take(2).readUInt16BE();
  }

  uint16le(): number {
    return this.take(2).readUInt16LE();
  }

  uint32be(): number {
    return this.take(4).readUInt32BE();
  }

  uint32le(): number {
    return this.take(4).readUInt32LE();
  }

  /** The next `length` bytes as text, a character each. */
  text(length: number): string {
    return this.take(length).toString('latin1');
  }

  /**
   * Goes to the next byte of this value and past it.
   *
   * @throws BrokenImage when there is none
   */
  skipPast(byte: number): void {
    const found = this.bytes.indexOf(byte, this.at);
    expectImage(found !== -1);
    this.at = found + 1;
  }
}

/** @throws BrokenImage when bytes come after the image's end: they could be read as a file of another kind */
export function expectEnd(reader: ImageReader): void {
  expectImage(reader.isAtEnd);
}
