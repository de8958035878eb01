import { gif } from './gif';
import type { ImageFormat, ImageSize } from './image-format';
import { BrokenImage } from './image-reader';
import { jpeg } from './jpeg';
import { png } from './png';
import { webp } from './webp';

/** The most pixels that an image has on a side (contract §4): shown, 4096² of them take 64 MiB. */
const MAX_SIDE = 4096;

const formats: readonly ImageFormat[] = [png, jpeg, gif, webp];

/**
 * The format of an image, by its content: a name or declared type is the sender's word.
 *
 * @returns undefined for whatever is no PNG, JPEG, GIF or WebP
 */
export function imageFormatOf(bytes: Buffer): ImageFormat | undefined {
  return formats.find((format) => format.isMeant(bytes));
}

/**
 * What is wrong with an image: not whole, or no side within 1–4096 pixels.
 *
 * @returns undefined when nothing is
 */
export function imageFault({ measure }: ImageFormat, bytes: Buffer): string | undefined {
  const size = measured(measure, bytes);
  if (!size) return 'is not a whole image, or goes on after its end';
  if ([size.width, size.height].some((side) => side < 1 || side > MAX_SIDE)) {
    return `must be at most ${MAX_SIDE} × ${MAX_SIDE} pixels large`;
  }
  return undefined;
}

function measured(measure: ImageFormat['measure'], bytes: Buffer): ImageSize | undefined {
  try {
    return measure(bytes);
  } catch (error) {
    if (error instanceof BrokenImage) return undefined;
    throw error;
  }
}
