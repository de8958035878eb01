import { deflateSync } from 'node:zlib';
import { PNG_SIGNATURE, png as wholePng, pngChunk, pngHeader } from '../../test/support/images';
import { BrokenImage } from './image-reader';
import { png } from './png';

const PIXELS = pngChunk('IDAT', deflateSync(Buffer.alloc(2)));
const END = pngChunk('IEND');
const header = (...rest: number[]): Buffer => pngHeader(1, 1, Buffer.from(rest));
const GREY = header(8, 0, 0, 0, 0);
const INDEXED = header(8, 3, 0, 0, 0);
const PALETTE = pngChunk('PLTE', Buffer.alloc(6));

const measure = (...chunks: Buffer[]): unknown => png.measure(Buffer.concat([PNG_SIGNATURE, ...chunks]));

describe('PNG', () => {
  it.each([
    ['its size', [pngHeader(7, 5), PIXELS, END], { width: 7, height: 5 }],
    ['pixels in several chunks', [GREY, PIXELS, PIXELS, END], { width: 1, height: 1 }],
    ['a palette before indexed pixels', [INDEXED, PALETTE, PIXELS, END], { width: 1, height: 1 }],
    ['a suggested palette', [header(8, 2, 0, 0, 1), PALETTE, PIXELS, END], { width: 1, height: 1 }],
    ['ancillary chunks', [GREY, pngChunk('tEXt'), PIXELS, pngChunk('eXIf'), END], { width: 1, height: 1 }],
  ])('is read with %s', (_name, chunks, size) => {
    expect(measure(...chunks)).toMatchObject(size);
  });

  it.each([
    ['without header', [PIXELS, END]],
    ['with two headers', [GREY, GREY, PIXELS, END]],
    ['with a short header', [pngChunk('IHDR', Buffer.alloc(12)), PIXELS, END]],
    ['with a bit depth that its colours do not have', [header(4, 2, 0, 0, 0), PIXELS, END]],
    ['with unknown colours', [header(8, 5, 0, 0, 0), PIXELS, END]],
    ['with unknown compression', [header(8, 0, 1, 0, 0), PIXELS, END]],
    ['with an unknown filter', [header(8, 0, 0, 1, 0), PIXELS, END]],
    ['with unknown interlacing', [header(8, 0, 0, 0, 2), PIXELS, END]],
    ['without pixels', [GREY, END]],
    ['with pixels in two places', [GREY, PIXELS, pngChunk('tEXt'), PIXELS, END]],
    ['with indexed pixels and no palette', [INDEXED, PIXELS, END]],
    ['with a palette behind the pixels', [GREY, PIXELS, PALETTE, END]],
    ['with two palettes', [INDEXED, PALETTE, PALETTE, PIXELS, END]],
    ['with a palette of part of a colour', [INDEXED, pngChunk('PLTE', Buffer.alloc(4)), PIXELS, END]],
    ['with an empty palette', [INDEXED, pngChunk('PLTE'), PIXELS, END]],
    ['with a palette of 257 colours', [INDEXED, pngChunk('PLTE', Buffer.alloc(771)), PIXELS, END]],
    ['with an unknown chunk that is needed to show it', [GREY, pngChunk('NEED'), PIXELS, END]],
    ['with a chunk that is named by other than letters', [GREY, pngChunk('te1t'), PIXELS, END]],
    ['with content in its end', [GREY, PIXELS, pngChunk('IEND', Buffer.alloc(1))]],
    ['without end', [GREY, PIXELS]],
  ])('is refused %s', (_name, chunks) => {
    expect(() => measure(...chunks)).toThrow(BrokenImage);
  });

  it('is refused when any byte differs from what its checksums say', () => {
    const whole = wholePng(3, 2);
    for (let at = 8; at < whole.length; at += 1) {
      const bytes = Buffer.from(whole);
      bytes[at] = bytes[at]! ^ 1;
      expect(() => png.measure(bytes)).toThrow(BrokenImage);
    }
  });
});
