import type { ImageFormat, ImageSize } from './image-format';
import { BrokenImage, expectEnd, expectImage, ImageReader } from './image-reader';

/** The flag of VP8X that says that the image is animated. */
const ANIMATED = 0x02;

interface Chunk {
  readonly type: string;
  readonly data: ImageReader;
  readonly length: number;
}

/** WebP (RFC 9649): simple or extended, animated or not. */
export const webp: ImageFormat = {
  contentType: 'image/webp',
  isMeant: (bytes) => /^RIFF[^]{4}WEBP/.test(bytes.toString('latin1', 0, 12)),
  measure: (bytes) => {
    const reader = new ImageReader(bytes);
    reader.take(4);
    expectImage(reader.uint32le() === bytes.length - 8);
    reader.take(4);
    const first = readChunk(reader);
    const size = first.type === 'VP8X' ? readExtended(first, reader) : readPixels(first);
    expectEnd(reader);
    return size;
  },
};

/** A chunk; one of odd length is followed by a zero (RFC 9649 §2.3). */
function readChunk(reader: ImageReader): Chunk {
  const type = reader.text(4);
  expectImage(/^[ -~]{4}$/.test(type));
  const length = reader.uint32le();
  const data = new ImageReader(reader.take(length));
  if (length % 2 === 1) expectImage(reader.uint8() === 0);
  return { type, data, length };
}

/** A canvas with the chunks that make it up (RFC 9649 §2.7). */
function readExtended({ data, length }: Chunk, reader: ImageReader): ImageSize {
  expectImage(length === 10);
  const isAnimated = (data.uint8() & ANIMATED) !== 0;
  data.take(3);
  const canvas = { width: uint24(data) + 1, height: uint24(data) + 1 };
  const images = readImages(reader, canvas, isAnimated);
  expectImage(isAnimated ? images > 0 : images === 1);
  return canvas;
}

/** How many images there are; a still one is as large as the canvas, a frame lies within it. */
function readImages(reader: ImageReader, canvas: ImageSize, isAnimated: boolean): number {
  let images = 0;
  while (!reader.isAtEnd) {
    const chunk = readChunk(reader);
    if (isPixels(chunk)) {
      const { width, height } = readPixels(chunk);
      expectImage(!isAnimated && width === canvas.width && height === canvas.height);
      images += 1;
    } else if (chunk.type === 'ANMF') {
      expectImage(isAnimated);
      readFrame(chunk.data, canvas);
      images += 1;
    }
  }
  return images;
}

/** A frame of an animation: place, size, duration, and its own chunks (RFC 9649 §2.7.1.1). */
function readFrame(frame: ImageReader, canvas: ImageSize): void {
  const [left, top] = [2 * uint24(frame), 2 * uint24(frame)];
  const [width, height] = [uint24(frame) + 1, uint24(frame) + 1];
  expectImage(left + width <= canvas.width && top + height <= canvas.height);
  frame.take(4);
  const images = readImages(frame, { width, height }, false);
  expectImage(images === 1);
}

function isPixels({ type }: Chunk): boolean {
  return type === 'VP8 ' || type === 'VP8L';
}

function readPixels({ type, data, length }: Chunk): ImageSize {
  if (type === 'VP8 ') return readLossy(data, length);
  if (type === 'VP8L') return readLossless(data);
  throw new BrokenImage();
}

/** A key frame of VP8 (RFC 6386 §9.1). */
function readLossy(data: ImageReader, length: number): ImageSize {
  const tag = uint24(data);
  const isKeyFrame = (tag & 1) === 0;
  expectImage(isKeyFrame && data.take(3).equals(Buffer.from('9d012a', 'hex')));
  // Ten bytes of header; the first partition of the pixels lies behind them.
  expectImage(tag >>> 5 <= length - 10);
  return { width: data.uint16le() & 0x3fff, height: data.uint16le() & 0x3fff };
}

/** The header of a lossless image: 14 bits of width, 14 of height, one of alpha, three of version (RFC 9649 §3.4). */
function readLossless(data: ImageReader): ImageSize {
  expectImage(data.uint8() === 0x2f);
  const bits = data.uint32le();
  expectImage(bits >>> 29 === 0);
  expectImage(!data.isAtEnd);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function uint24(reader: ImageReader): number {
  return reader.take(3).readUIntLE(0, 3);
}
