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
  'image/jpeg': JPG,
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

function sizeProblem({ width, height }: { width: number; height: number }): string | undefined {
  const isValid = (side: number): boolean => side >= 1 && side <= MAX_SIDE;
  return isValid(width) && isValid(height) ? undefined : `must be 1 × 1 to ${MAX_SIDE} × ${MAX_SIDE} pixels`;
}
