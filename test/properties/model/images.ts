import { gif, jpeg, png, webp } from '../../support/images';

/** The images that are uploaded, by the name of the file: small, and each of its own size. */
export const IMAGES = {
  'logo.png': { contentType: 'image/png', bytes: png(2, 3) },
  'logo.jpg': { contentType: 'image/jpeg', bytes: jpeg() },
  'logo.gif': { contentType: 'image/gif', bytes: gif() },
  'logo.webp': { contentType: 'image/webp', bytes: webp() },
} as const;

export type ImageName = keyof typeof IMAGES;
