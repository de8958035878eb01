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

/**
 * A multipart/form-data body (RFC 7578).
 *
 * @param {...{data: Buffer | string, name?: string, fileName?: string, type?: string}} parts
 * @returns {Promise<{body: Buffer, headers: {'content-type': string}}>}
 */
export async function form(...parts) {
  const formData = new FormData();
  for (const { data, name = 'file', fileName = 'logo.png', type = 'image/png' } of parts)
    formData.append(name, new Blob([data], { type }), fileName);
  const response = new Response(formData);
  const headers = { 'content-type': response.headers.get('content-type') };
  return { body: Buffer.from(await response.arrayBuffer()), headers };
}
