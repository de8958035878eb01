import fc from 'fast-check';
import { gif, jpeg, webp } from '../../../test/support/images';
import { png } from '../../../test/support/uploads.mjs';
import { readImage } from './image';

const makers = { 'image/png': png, 'image/jpeg': jpeg, 'image/gif': gif, 'image/webp': webp };
const kinds = Object.entries(makers);

describe('readImage', () => {
  it.each(kinds)('recognizes %s and accepts up to 4096 × 4096 pixels', (contentType, make) => {
    const problem = 'must be 1 × 1 to 4096 × 4096 pixels';
    for (const image of [make(1, 1), make(4096, 1), make(1, 4096)])
      expect(readImage(image)).toEqual({ contentType, problem: undefined });
    for (const image of [make(4097, 1), make(1, 4097), png(1, 0)]) expect(readImage(image)?.problem).toBe(problem);
  });

  it.each([
    ['one byte', '\x89'],
    ['a page that contains an image', `<!--${gif().toString('latin1')}-->`],
    ['BMP', `BM${'\x01'.repeat(40)}`],
    ['TIFF', 'II*\x00\x08\x00\x00\x00\x00\x00\x00\x00'],
    ['ICO', '\x00\x00\x01\x00\x01\x00\x01\x01'],
    ['AVIF', '\x00\x00\x00\x1cftypavif'],
    ['WAVE in RIFF', 'RIFF\x04\x00\x00\x00WAVE'],
    ['half a signature', '\x89PNG\r\n'],
    ['an unknown version of GIF', 'GIF88a\x01\x00\x01\x00'],
  ])('does not recognize %s', (_name, text) => {
    expect(readImage(Buffer.from(text, 'latin1'))).toBeUndefined();
  });

  it.each([
    ['PNG without header', png().subarray(0, 8)],
    ['PNG that begins with another chunk', Buffer.concat([png().subarray(0, 8), png().subarray(33)])],
    ['PNG that ends in its header', png().subarray(0, 20)],
    ['JPEG without frame', jpeg().subarray(0, 71)],
    ['GIF that ends in its header', gif().subarray(0, 8)],
    ['WebP with unknown flags', Buffer.from(`RIFF\x12\0\0\0WEBPVP8X\x0a\0\0\0\xff${'\0'.repeat(9)}`, 'latin1')],
  ])('finds no dimensions in a %s', (_name, bytes) => {
    expect(readImage(bytes)?.problem).toBe('does not have readable dimensions');
  });

  it('reads a JPEG with Exif data, and keeps the dimensions as stored', () => {
    const entry = '0100120103000100000006000000';
    const exif = Buffer.from(`ffe1002245786966000049492a0008000000${entry}00000000`, 'hex');
    const rotated = (width: number): Buffer => Buffer.concat([jpeg().subarray(0, 2), exif, jpeg(width, 1).subarray(2)]);
    expect(readImage(rotated(4096))).toEqual({ contentType: 'image/jpeg', problem: undefined });
    expect(readImage(rotated(4097))?.problem).toMatch('must be');
  });

  it('handles any bytes', () => {
    const change = fc.tuple(fc.nat(), fc.nat(8), fc.uint8Array({ maxLength: 8 }));
    const image = fc.constantFrom(...kinds.map(([, make]) => make(3, 2)));
    fc.assert(
      fc.property(image, fc.array(change, { minLength: 1, maxLength: 4 }), (whole, changes) => {
        const bytes = changes.reduce((rest, [where, taken, put]) => {
          const at = where % (rest.length + 1);
          return Buffer.concat([rest.subarray(0, at), put, rest.subarray(at + taken)]);
        }, whole);
        expect(() => readImage(bytes)).not.toThrow();
      }),
      { numRuns: 2000 },
    );
  });
});
