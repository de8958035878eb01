import { normalizeText, trim, withoutForbidden } from '../../platform/base/text/text';
import type { ImageType } from './file.schema';

/** In code points (contract §1.6). */
const MAX_FILE_NAME = 255;

/** File name extensions of each type; the first is the usual one. */
const EXTENSIONS: Readonly<Record<ImageType, readonly [string, ...string[]]>> = {
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/gif': ['.gif'],
  'image/webp': ['.webp'],
};

/**
 * Returns the name under which a file is stored: without characters that a name may not contain (contract §1.6). They
 * are not an error, because the person who uploads a file did not type its name.
 * @param sent the name that the client sent, without its path
 * @returns 1–255 code points; `image.png` and the like if nothing is left
 */
export function storedFileName(sent = '', type: ImageType): string {
  const normalized = Array.from(normalizeText(withoutForbidden(sent, 'name'), MAX_FILE_NAME));
  const name = trim(normalized.slice(0, MAX_FILE_NAME).join(''));
  return /^\.*$/.test(name) ? `image${EXTENSIONS[type][0]}` : name;
}

/**
 * Returns the Content-Disposition of a file that browsers show in place (RFC 6266). A saved file always has an
 * extension of its type: content that is both a GIF and a page must not be saved as `page.html`.
 */
export function contentDisposition(fileName: string, type: ImageType): string {
  const [usual] = EXTENSIONS[type];
  const hasExtension = EXTENSIONS[type].some((extension) => fileName.toLowerCase().endsWith(extension));
  const name = hasExtension ? fileName : `${fileName}${usual}`;
  const ascii = name.replace(/[^\w .()+=,@-]/g, '_');
  if (ascii === name) return `inline; filename="${name}"`;
  // RFC 8187 §3.2.1 allows fewer characters than encodeURIComponent leaves.
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `inline; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
