import { gif } from './gif';
import { BrokenImage } from './image-reader';

const measure = (...pieces: string[]): unknown => gif.measure(Buffer.from(pieces.join(''), 'hex'));
const SIGNATURE = '474946383961';
const SCREEN = '07000500000000';
const IMAGE = '2c00000000070005000002014400';
const END = '3b';

describe('GIF', () => {
  it.each([
    ['its size', [SIGNATURE, SCREEN, IMAGE, END], 7, 5],
    ['a colour table', [SIGNATURE, '07000500810000', '00'.repeat(12), IMAGE, END], 7, 5],
    ['a colour table of an image', [SIGNATURE, SCREEN, '2c000000000700050080', '00'.repeat(6), '02014400', END], 7, 5],
    ['an extension', [SIGNATURE, SCREEN, '21fe0341424300', IMAGE, END], 7, 5],
    ['several images', [SIGNATURE, SCREEN, IMAGE, IMAGE, END], 7, 5],
    ['an image that leaves the screen', [SIGNATURE, SCREEN, '2c06000400070005000002014400', END], 13, 9],
    ['an end inside a block', [SIGNATURE, SCREEN, '21fe013b00', IMAGE, END], 7, 5],
  ])('is read with %s', (_name, pieces, width, height) => {
    expect(measure(...pieces)).toEqual({ width, height });
  });

  it.each([
    ['without image', [SIGNATURE, SCREEN, END]],
    ['with an image without width', [SIGNATURE, SCREEN, '2c00000000000005000002014400', END]],
    ['with an image without height', [SIGNATURE, SCREEN, '2c00000000070000000002014400', END]],
    ['with an unknown block', [SIGNATURE, SCREEN, '22fe00', IMAGE, END]],
    ['with codes of one bit', [SIGNATURE, SCREEN, '2c00000000070005000001014400', END]],
    ['with codes of nine bits', [SIGNATURE, SCREEN, '2c00000000070005000009014400', END]],
    ['with a block beyond its end', [SIGNATURE, SCREEN, IMAGE.replace('014400', 'ff4400'), END]],
    ['with a colour table beyond its end', [SIGNATURE, '07000500870000', IMAGE, END]],
    ['without end', [SIGNATURE, SCREEN, IMAGE]],
  ])('is refused %s', (_name, pieces) => {
    expect(() => measure(...pieces)).toThrow(BrokenImage);
  });
});
