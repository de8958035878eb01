import { vp8l, webpChunk as chunk, webpOf } from '../../test/support/images';
import { BrokenImage } from './image-reader';
import { webp } from './webp';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
/** A canvas of 7 × 5 pixels. */
const extended = (flags: string, canvas = '060000040000'): Buffer => chunk('VP8X', hex(`${flags}000000${canvas}`));
const LOSSY = chunk('VP8 ', hex('3000009d012a07000500aabb'));
const LOSSLESS = vp8l(7, 5);
/** A frame of 7 × 5 pixels. */
const frame = (place: string, ...chunks: Buffer[]): Buffer =>
  chunk('ANMF', Buffer.concat([hex(`${place}06000004000000000000`), ...chunks]));
const AT_ORIGIN = frame('000000000000', LOSSLESS);

describe('WebP', () => {
  it.each([
    ['lossy', [LOSSY]],
    ['lossless', [LOSSLESS]],
    [
      'extended',
      [extended('10'), chunk('ICCP', hex('00')), chunk('ALPH', hex('00')), LOSSY, chunk('EXIF', hex('0000'))],
    ],
    ['animated', [extended('02'), chunk('ANIM', hex('000000000000')), AT_ORIGIN, AT_ORIGIN]],
  ])('is read when %s', (_name, chunks) => {
    expect(webp.measure(webpOf(...chunks))).toEqual({ width: 7, height: 5 });
  });

  it('does not take scaling bits for its size', () => {
    const scaled = chunk('VP8 ', hex('3000009d012a07400580aabb'));
    expect(webp.measure(webpOf(scaled))).toEqual({ width: 7, height: 5 });
  });

  it.each([
    ['without image', []],
    ['that begins with another chunk', [chunk('EXIF', hex('0000')), LOSSY]],
    ['with chunks behind a simple image', [LOSSY, chunk('EXIF', hex('0000'))]],
    ['with an image that is no key frame', [chunk('VP8 ', hex('3100009d012a07000500aabb'))]],
    ['with a lossy image without its mark', [chunk('VP8 ', hex('3000009d012b07000500aabb'))]],
    ['with a partition beyond its end', [chunk('VP8 ', hex('6000009d012a07000500aabb'))]],
    ['with a lossless image without its mark', [chunk('VP8L', hex('2e0600011000'))]],
    ['with a lossless image of another version', [chunk('VP8L', hex('2f0600012000'))]],
    ['with a lossless image without pixels', [chunk('VP8L', hex('2f06000110'))]],
    ['with a short canvas', [chunk('VP8X', hex('100000000600000400')), LOSSY]],
    ['with a canvas alone', [extended('10')]],
    ['with two still images', [extended('10'), LOSSY, LOSSY]],
    ['with an image of another size than the canvas', [extended('10'), vp8l(7, 6)]],
    ['with a frame in a still image', [extended('10'), AT_ORIGIN]],
    ['with a still image in an animation', [extended('02'), LOSSY]],
    ['with an animation without frames', [extended('02'), chunk('ANIM', hex('000000000000'))]],
    ['with a frame that leaves the canvas to the right', [extended('02'), frame('010000000000', LOSSLESS)]],
    ['with a frame that leaves the canvas below', [extended('02'), frame('000000010000', LOSSLESS)]],
    ['with a frame without image', [extended('02'), frame('000000000000')]],
    ['with a frame whose image has another size', [extended('02'), frame('000000000000', vp8l(6, 5))]],
    ['with a chunk beyond its end', [extended('10'), LOSSY, hex('4558494605000000aa')]],
    ['with a chunk whose name is no text', [extended('10'), chunk('\x01\x02\x03\x04', hex('')), LOSSY]],
    ['with other padding than zero', [Buffer.concat([LOSSLESS.subarray(0, -1), hex('01')])]],
  ])('is refused %s', (_name, chunks) => {
    expect(() => webp.measure(webpOf(...chunks))).toThrow(BrokenImage);
  });

  it('is refused when it declares another length than it has', () => {
    for (const difference of [-2, -1, 1, 2]) {
      const bytes = webpOf(LOSSY);
      bytes.writeUInt32LE(bytes.readUInt32LE(4) + difference, 4);
      expect(() => webp.measure(bytes)).toThrow(BrokenImage);
    }
  });
});
