import { crc32 } from 'node:zlib';
import type { ImageFormat, ImageSize } from './image-format';
import { BrokenImage, expectEnd, expectImage, ImageReader } from './image-reader';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** The bit depths of each colour type (PNG §11.2.1). */
const BIT_DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** The colour type whose pixels are places in a palette. */
const INDEXED = 3;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

interface Header extends ImageSize {
  readonly isIndexed: boolean;
}

/** Portable Network Graphics (W3C PNG, third edition). The pixels are not inflated: 1 MiB of them can be 128 MiB. */
export const png: ImageFormat = {
  contentType: 'image/png',
  isMeant: (bytes) => bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE),
  measure: (bytes) => {
    const reader = new ImageReader(bytes);
    reader.take(SIGNATURE.length);
    const header = readHeader(readChunk(reader));
    readBody(reader, header.isIndexed);
    expectEnd(reader);
    return header;
  },
};

/** A chunk whose checksum is right (PNG §5.3). */
function readChunk(reader: ImageReader): Chunk {
  const length = reader.uint32be();
  const type = reader.text(4);
  expectImage(/^[A-Za-z]{2}[A-Z][A-Za-z]$/.test(type));
  const data = reader.take(length);
  expectImage(reader.uint32be() === crc32(data, crc32(type)));
  return { type, data };
}

function readHeader({ type, data }: Chunk): Header {
  expectImage(type === 'IHDR' && data.length === 13);
  const fields = new ImageReader(data);
  const [width, height] = [fields.uint32be(), fields.uint32be()];
  const [depth, colour] = [fields.uint8(), fields.uint8()];
  expectImage(BIT_DEPTHS[colour]?.includes(depth) === true);
  const [compression, filter, interlace] = [fields.uint8(), fields.uint8(), fields.uint8()];
  expectImage(compression === 0 && filter === 0 && interlace <= 1);
  return { width, height, isIndexed: colour === INDEXED };
}

/** The chunks after the header: a palette where one is needed, pixels in one run of IDAT, IEND last (PNG §5.6). */
function readBody(reader: ImageReader, isIndexed: boolean): void {
  let hasPalette = false;
  let pixels: 'ahead' | 'here' | 'behind' = 'ahead';
  for (;;) {
    const { type, data } = readChunk(reader);
    if (type !== 'IDAT' && pixels === 'here') pixels = 'behind';
    if (type === 'IDAT') {
      expectImage(pixels !== 'behind' && (hasPalette || !isIndexed));
      pixels = 'here';
    } else if (type === 'PLTE') {
      expectImage(pixels === 'ahead' && !hasPalette && data.length % 3 === 0 && data.length <= 768 && data.length > 0);
      hasPalette = true;
    } else if (type === 'IEND') {
      return expectImage(pixels === 'behind' && data.length === 0);
    } else if (isCritical(type)) {
      throw new BrokenImage();
    }
  }
}

/** A chunk without which the image cannot be shown has a capital first letter (PNG §5.4); no other such is known. */
function isCritical(type: string): boolean {
  return /^[A-Z]/.test(type);
}
