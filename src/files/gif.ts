import type { ImageFormat, ImageSize } from './image-format';
import { BrokenImage, expectEnd, expectImage, ImageReader } from './image-reader';

/** What a block begins with (GIF89a, appendix A). */
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

/** Graphics Interchange Format (GIF87a, GIF89a), animated or not, up to its trailer. */
export const gif: ImageFormat = {
  contentType: 'image/gif',
  isMeant: (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)),
  measure: (bytes) => {
    const reader = new ImageReader(bytes);
    reader.take(6);
    const screen = { width: reader.uint16le(), height: reader.uint16le() };
    const flags = reader.uint8();
    reader.take(2);
    skipColourTable(reader, flags);
    const frames = readFrames(reader);
    expectEnd(reader);
    return frames.reduce(larger, screen);
  },
};

/** The sizes that the images reach to: browsers show those that leave the screen, too. */
function readFrames(reader: ImageReader): ImageSize[] {
  const frames: ImageSize[] = [];
  for (let block = reader.uint8(); block !== TRAILER; block = reader.uint8()) {
    if (block === IMAGE) frames.push(readFrame(reader));
    else if (block === EXTENSION) reader.take(1);
    else throw new BrokenImage();
    skipSubBlocks(reader);
  }
  expectImage(frames.length > 0);
  return frames;
}

/** An image up to its pixels (GIF89a §20–22). */
function readFrame(reader: ImageReader): ImageSize {
  const [left, top] = [reader.uint16le(), reader.uint16le()];
  const [width, height] = [reader.uint16le(), reader.uint16le()];
  expectImage(width > 0 && height > 0);
  skipColourTable(reader, reader.uint8());
  const minimumCodeSize = reader.uint8();
  expectImage(minimumCodeSize >= 2 && minimumCodeSize <= 8);
  return { width: left + width, height: top + height };
}

/** The flags' highest bit tells whether there is a table, the lowest three its size. */
function skipColourTable(reader: ImageReader, flags: number): void {
  if (flags & 0x80) reader.take(3 * 2 ** ((flags & 0x07) + 1));
}

/** Runs of up to 255 bytes, each with its length before it, up to an empty one (GIF89a §15). */
function skipSubBlocks(reader: ImageReader): void {
  for (let length = reader.uint8(); length > 0; length = reader.uint8()) reader.take(length);
}

function larger(one: ImageSize, other: ImageSize): ImageSize {
  return { width: Math.max(one.width, other.width), height: Math.max(one.height, other.height) };
}
