/** Uploads, in plain JavaScript for the tests and the chaos suite. */

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';

/**
 * @param {number} [width] in pixels
 * @param {number} [height] in pixels
 * @param {number} [size] length in bytes, reached with bytes after the end of the image
 * @returns {Buffer} an 8-bit greyscale PNG of 1 × 1 whose header has these dimensions
 */
export function png(width = 1, height = 1, size = 0) {
  const image = Buffer.from(PNG, 'base64');
  image.writeUInt32BE(width, 16);
  image.writeUInt32BE(height, 20);
  return Buffer.concat([image, Buffer.alloc(Math.max(0, size - image.length))]);
}

const BOUNDARY = 'roster-tests';
export const FORM_TYPE = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

/**
 * A multipart/form-data body (RFC 7578) for a request with `FORM_TYPE`.
 *
 * @param {...{name: string, fileName?: string, type?: string, data: Buffer | string}} parts
 */
export function form(...parts) {
  const pieces = parts.flatMap(({ name, fileName, type, data }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`;
    const kind = type === undefined ? '' : `Content-Type: ${type}\r\n`;
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${kind}\r\n`;
    return [Buffer.from(head), Buffer.from(data), Buffer.from('\r\n')];
  });
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

/** @param {Buffer | string} [data] */
export function filePart(data = png(), fileName = 'logo.png', type = 'image/png') {
  return { name: 'file', fileName, type, data };
}
