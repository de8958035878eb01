import type { ImageFormat, ImageSize } from './image-format';
import { BrokenImage, expectEnd, expectImage, ImageReader } from './image-reader';

/** A marker's second byte (ITU-T T.81, table B.1). */
const EOI = 0xd9;
const SOS = 0xda;
/** Frames: baseline to lossless, Huffman or arithmetic. Differential frames occur in sequences of frames only. */
const FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc9, 0xca, 0xcb]);
/** Segments whose content is of no matter here: DHT, DAC, DQT, DNL, DRI, COM, APP0–15. */
const SEGMENTS: ReadonlySet<number> = new Set([
  ...[0xc4, 0xcc, 0xdb, 0xdc, 0xdd, 0xfe],
  ...Array.from({ length: 16 }, (_, n) => 0xe0 + n),
]);
/** Stuffed zero and restart markers, which stand among the coded pixels. */
const isInScan = (marker: number): boolean => marker === 0x00 || (marker >= 0xd0 && marker <= 0xd7);

/** JPEG (ITU-T T.81): one frame, all scans, up to its end marker. */
export const jpeg: ImageFormat = {
  contentType: 'image/jpeg',
  isMeant: (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
  measure: (bytes) => {
    const reader = new ImageReader(bytes);
    reader.take(2);
    const size = readSegments(reader);
    expectEnd(reader);
    return size;
  },
};

function readSegments(reader: ImageReader): ImageSize {
  let size: ImageSize | undefined;
  let hasScan = false;
  for (let marker = readMarker(reader); marker !== EOI;) {
    const segment = readSegment(reader);
    if (marker === SOS) {
      expectImage(size !== undefined);
      readScanHeader(segment);
      hasScan = true;
      marker = skipScan(reader);
      continue;
    }
    if (FRAMES.has(marker)) {
      expectImage(size === undefined);
      size = readFrame(segment);
    } else if (!SEGMENTS.has(marker)) throw new BrokenImage();
    marker = readMarker(reader);
  }
  expectImage(size !== undefined && hasScan);
  return size;
}

/** A marker may be preceded by any number of fill bytes (T.81 §B.1.1.2). */
function readMarker(reader: ImageReader): number {
  expectImage(reader.uint8() === 0xff);
  return afterFill(reader);
}

function afterFill(reader: ImageReader): number {
  let byte = reader.uint8();
  while (byte === 0xff) byte = reader.uint8();
  return byte;
}

/** The content of a segment; its length counts itself. */
function readSegment(reader: ImageReader): ImageReader {
  const length = reader.uint16be();
  expectImage(length >= 2);
  return new ImageReader(reader.take(length - 2));
}

function readFrame(segment: ImageReader): ImageSize {
  segment.take(1);
  const [height, width] = [segment.uint16be(), segment.uint16be()];
  const components = segment.uint8();
  expectImage(components > 0);
  segment.take(3 * components);
  expectEnd(segment);
  return { width, height };
}

function readScanHeader(segment: ImageReader): void {
  const components = segment.uint8();
  expectImage(components >= 1 && components <= 4);
  segment.take(2 * components + 3);
  expectEnd(segment);
}

/** Skips coded pixels; gives the marker behind them. */
function skipScan(reader: ImageReader): number {
  for (;;) {
    reader.skipPast(0xff);
    const marker = afterFill(reader);
    if (!isInScan(marker)) return marker;
  }
}
