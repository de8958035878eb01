import { GIF } from 'image-size/types/gif';
import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';
import { IMAGE_TYPES, type ImageType } from './file.schema';

/** Maximum width and height in pixels: decoded, an image of 4096 × 4096 takes 64 MiB. */
const MAX_SIDE = 4096;

/** The readers of image-size for the types that may be uploaded. Its `imageSize()` tries all twenty that it knows. */
const readers = {
  'image/png': PNG,
  'image/jpeg': { validate: JPG.validate, calculate: jpegSize },
  'image/gif': GIF,
  'image/webp': WEBP,
} as const;

/** What is known of an image without decoding it. */
export interface Image {
  readonly contentType: ImageType;
  readonly problem: string | undefined;
}

/** Reads the type and dimensions, without decoding. @returns undefined if it is not a PNG, JPEG, GIF or WebP */
export function readImage(bytes: Buffer): Image | undefined {
  // A copy with its own ArrayBuffer: small Buffers share one, and image-size does not stop at the end of a Buffer.
  const content = Buffer.from(new Uint8Array(bytes).buffer);
  for (const contentType of IMAGE_TYPES) {
    const { validate, calculate } = readers[contentType];
    try {
      if (validate(content)) return { contentType, problem: sizeProblem(calculate(content)) };
    } catch {
      // `validate` throws only for a PNG without a header, which is of this type all the same.
      return { contentType, problem: 'does not have readable dimensions' };
    }
  }
  return undefined;
}

/**
 * Reads the dimensions in the frame of a JPEG (ITU-T T.81 §B.2.2). image-size looks for it byte by byte, so one upload
 * without a frame would hold up all other requests.
 * @throws Error when there is no frame before the image's data
 */
function jpegSize(jpeg: Buffer): { width: number; height: number } {
  for (let at = 2, step = 0; step < MAX_STEPS; step += 1) {
    // Between segments there may be other bytes, and several 0xFF before a marker.
    at = jpeg.indexOf(0xff, at);
    if (at === -1) break;
    const marker = jpeg.readUInt8(at + 1);
    if (FRAMES.includes(marker)) return { height: jpeg.readUInt16BE(at + 5), width: jpeg.readUInt16BE(at + 7) };
    if (marker === START_OF_SCAN) throw new TypeError('The JPEG has no frame before its data');
    if (marker === 0xff) at += 1;
    else at += marker === 0 ? 2 : 2 + jpeg.readUInt16BE(at + 2);
  }
  throw new TypeError('The JPEG has no frame');
}

/** Baseline, extended and progressive: all that browsers show. */
const FRAMES = [0xc0, 0xc1, 0xc2];
const START_OF_SCAN = 0xda;
/** An ICC profile, which comes before the frame, has up to 255 segments (ICC.1, annex B.4). */
const MAX_STEPS = 1000;

function sizeProblem({ width, height }: { width: number; height: number }): string | undefined {
  const isValid = (side: number): boolean => side >= 1 && side <= MAX_SIDE;
  return isValid(width) && isValid(height) ? undefined : `must be 1 × 1 to ${MAX_SIDE} × ${MAX_SIDE} pixels`;
}
