import { GIF } from 'image-size/types/gif';
import { JPG } from 'image-size/types/jpg';
import { PNG } from 'image-size/types/png';
import { WEBP } from 'image-size/types/webp';
import { IMAGE_TYPES, type ImageType } from './file.schema';

/** Maximum width and height in pixels (contract §4): decoded, an image of 4096 × 4096 takes 64 MiB. */
const MAX_SIDE = 4096;

/** The readers of image-size for the types that may be uploaded. Its `imageSize()` tries all twenty that it knows. */
const readers = {
  'image/png': PNG,
  'image/jpeg': { ...JPG, calculate: jpegSize },
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
 * image-size looks for a segment that does not follow another one byte by byte, which takes 0.1 s of the main thread for
 * a MiB of zeros.
 */
function jpegSize(jpeg: Buffer): ReturnType<typeof JPG.calculate> {
  let at = 2;
  while (!FRAMES.includes(jpeg.readUInt16BE(at))) {
    if (jpeg[at] !== 0xff) throw new TypeError('A JPEG has one segment after another up to its frame');
    at += 2 + jpeg.readUInt16BE(at + 2);
  }
  return JPG.calculate(jpeg);
}

/** The markers of the frames that image-size knows, which have the dimensions. */
const FRAMES = [0xffc0, 0xffc1, 0xffc2];

function sizeProblem({ width, height }: { width: number; height: number }): string | undefined {
  const isValid = (side: number): boolean => side >= 1 && side <= MAX_SIDE;
  return isValid(width) && isValid(height) ? undefined : `must be 1 × 1 to ${MAX_SIDE} × ${MAX_SIDE} pixels`;
}
