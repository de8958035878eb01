import fc from 'fast-check';
import { gif, jpeg, png, webp } from '../../test/support/images';
import { imageFault, imageFormatOf } from './image';

/** What an upload of these bytes comes to: the type, and whether it has a fault; undefined for no image. */
function verdict(bytes: Buffer): { type: string; fault: string | undefined } | undefined {
  const format = imageFormatOf(bytes);
  return format && { type: format.contentType, fault: imageFault(format, bytes) };
}

const makers = { 'image/png': png, 'image/jpeg': jpeg, 'image/gif': gif, 'image/webp': webp };
const kinds = Object.entries(makers);
const anyImage = fc.constantFrom(...kinds.map(([, make]) => make(3, 2)));

describe('images', () => {
  it.each(kinds)('%s is known by its content', (type, make) => {
    expect(verdict(make())).toEqual({ type, fault: undefined });
  });

  it.each([
    ['nothing', ''],
    ['text', 'plain text'],
    ['SVG', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a page that hides an image', `<!--${gif().toString('latin1')}-->`],
    ['BMP', 'BM\x3a\x00\x00\x00'],
    ['TIFF', 'II*\x00\x08\x00\x00\x00'],
    ['AVIF', '\x00\x00\x00\x1cftypavif'],
    ['PDF', '%PDF-1.7'],
    ['WAVE in RIFF', 'RIFF\x04\x00\x00\x00WAVE'],
    ['half a signature', '\x89PNG\r\n'],
    ['another GIF', 'GIF88a'],
  ])('%s is no image', (_name, text) => {
    expect(verdict(Buffer.from(text, 'latin1'))).toBeUndefined();
  });

  it.each(kinds)('%s may have 4096 pixels on a side and no more', (_type, make) => {
    for (const [width, height] of [
      [4096, 1],
      [1, 4096],
    ])
      expect(verdict(make(width, height))?.fault).toBeUndefined();
    for (const [width, height] of [
      [4097, 1],
      [1, 4097],
    ])
      expect(verdict(make(width, height))?.fault).toBe('must be at most 4096 × 4096 pixels large');
  });

  it.each(kinds)('%s is refused when anything is missing at its end', (_type, make) => {
    const whole = make(3, 2);
    for (let length = 12; length < whole.length; length += 1) {
      expect(verdict(whole.subarray(0, length))?.fault).toMatch('not a whole image');
    }
  });

  it.each(kinds)('%s is refused when anything comes after its end', (_type, make) => {
    for (const more of ['\0', '<script>alert(1)</script>', 'PK\x03\x04', png().toString('latin1')]) {
      const bytes = Buffer.concat([make(), Buffer.from(more, 'latin1')]);
      expect(verdict(bytes)?.fault).toMatch('goes on after its end');
    }
  });

  it('any change of bytes is judged, and no size out of bounds passes', () => {
    const edits = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(anyImage, edits, (image, changes) => {
        const bytes = Buffer.from(image);
        for (const [at, value] of changes) bytes[at % bytes.length] = value;
        const format = imageFormatOf(bytes);
        if (!format || imageFault(format, bytes) !== undefined) return;
        const { width, height } = format.measure(bytes);
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(1);
        expect(Math.max(width, height)).toBeLessThanOrEqual(4096);
      }),
      { numRuns: 5000 },
    );
  });

  it('any bytes put in or taken out are judged', () => {
    fc.assert(
      fc.property(anyImage, fc.nat(), fc.nat(20), fc.uint8Array({ maxLength: 20 }), (image, where, taken, put) => {
        const at = where % image.length;
        verdict(Buffer.concat([image.subarray(0, at), put, image.subarray(at + taken)]));
      }),
      { numRuns: 5000 },
    );
  });

  it('the worst bytes of 1 MiB are judged within 200 ms', () => {
    const head = { png: png().subarray(0, 33), gif: gif().subarray(0, 19), jpeg: jpeg().subarray(0, -1) };
    const emptyChunk = Buffer.from('0000000074455874', 'hex');
    const fill = (bytes: Buffer): Buffer => Buffer.alloc(1024 * 1024, bytes);
    const worst = [
      Buffer.concat([head.png, fill(emptyChunk)]),
      Buffer.concat([head.gif, fill(Buffer.from('21fe00', 'hex'))]),
      Buffer.concat([head.gif, Buffer.from('21fe', 'hex'), fill(Buffer.from('0141', 'hex'))]),
      Buffer.concat([head.jpeg, fill(Buffer.from('00ff', 'hex'))]),
      Buffer.concat([head.jpeg, fill(Buffer.from('ff', 'hex'))]),
      Buffer.concat([webp().subarray(0, 12), fill(Buffer.from('414141410000000042', 'hex'))]),
    ];
    for (const bytes of worst) {
      const start = performance.now();
      expect(verdict(bytes)?.fault).toMatch('not a whole image');
      expect(performance.now() - start).toBeLessThan(200);
    }
  });
});
