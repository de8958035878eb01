import { isAllowedText, normalizeText, trim } from '../validation/text';
import type { ImageType } from './image-format';

/** In code points (contract §1.6 counts them). */
const MAX_FILE_NAME = 255;

/** The endings under which systems take a file for an image of that type; the first is the usual one. */
const ENDINGS: Readonly<Record<ImageType, readonly string[]>> = {
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/gif': ['.gif'],
  'image/webp': ['.webp'],
};

/**
 * A file name as it is stored: the last piece of the path that some clients send, by the rules of a name's text
 * (contract §1.6). What a name may not hold is left out: the person who uploads did not type it into a field.
 *
 * @param given as the client sent it; undefined when it sent none
 * @returns 1–255 code points; `image.png` and the like when nothing is left
 */
export function storedFileName(given: string | undefined, type: ImageType): string {
  const last = (given ?? '').split(/[/\\]/).at(-1) ?? '';
  const allowed = Array.from(last).filter((character) => isAllowedText(character, 'name'));
  const normal = Array.from(normalizeText(allowed.join(''), MAX_FILE_NAME));
  const name = trim(normal.slice(0, MAX_FILE_NAME).join(''));
  return /^\.*$/.test(name) ? `image${ENDINGS[type][0]}` : name;
}

/**
 * The Content-Disposition of a file that is shown in place (RFC 6266). Where a browser saves it, its name ends as its
 * type asks: bytes that are a GIF and a page at once must not become `page.html` on a disk.
 */
export function contentDisposition(fileName: string, type: ImageType): string {
  const lower = fileName.toLowerCase();
  const fits = ENDINGS[type].some((ending) => lower.endsWith(ending));
  const name = fits ? fileName : `${fileName}${ENDINGS[type][0]}`;
  const ascii = name.replace(/[^\w .()+=,@-]/g, '_');
  return ascii === name
    ? `inline; filename="${name}"`
    : `inline; filename="${ascii}"; filename*=UTF-8''${extValue(name)}`;
}

/** An `ext-value` (RFC 8187 §3.2.1), which allows fewer characters than encodeURIComponent leaves. */
function extValue(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
