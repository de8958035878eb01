import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/**
 * @param {number} [width] in pixels
 * @param {number} [height] in pixels
 * @param {number} [size] wanted length in bytes, reached with a private ancillary chunk
 * @returns {Buffer} a whole greyscale PNG
 */
export function png(width = 1, height = 1, size = 0) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const pixels = chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height)));
  const start = Buffer.concat([SIGNATURE, chunk('IHDR', header)]);
  const end = chunk('IEND', Buffer.alloc(0));
  const missing = size - start.length - pixels.length - end.length;
  const padding = missing > 12 ? chunk('roSt', Buffer.alloc(missing - 12)) : Buffer.alloc(0);
  return Buffer.concat([start, padding, pixels, end]);
}

/** A whole baseline JPEG of one grey pixel: a table of ones, two Huffman tables with one code each, one block. */
export const JPEG = Buffer.concat([
  Buffer.from('ffd8ffdb004300', 'hex'),
  Buffer.alloc(64, 1),
  Buffer.from('ffc0000b080001000101011100', 'hex'),
  Buffer.from(`ffc400140001${'00'.repeat(15)}00`, 'hex'),
  Buffer.from(`ffc400141001${'00'.repeat(15)}00`, 'hex'),
  Buffer.from('ffda0008010100003f003fffd9', 'hex'),
]);

/** A whole GIF of one pixel. */
export const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** A whole lossless WebP of one pixel. */
export const WEBP = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');

/**
 * A multipart/form-data body (RFC 7578).
 * @param {ReadonlyArray<{name: string, fileName?: string, type?: string, data: Buffer | string}>} parts
 * @returns {{body: Buffer, headers: {'content-type': string}}}
 */
export function multipart(parts) {
  const boundary = 'roster-player-boundary';
  const pieces = parts.flatMap(({ name, fileName, type, data }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`;
    const kind = type === undefined ? '' : `Content-Type: ${type}\r\n`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${kind}\r\n`;
    return [Buffer.from(head), Buffer.from(data), Buffer.from('\r\n')];
  });
  const body = Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}
