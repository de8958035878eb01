import { jpeg as wholeJpeg } from '../../test/support/images';
import { BrokenImage } from './image-reader';
import { jpeg } from './jpeg';

const hex = (...pieces: string[]): Buffer => Buffer.from(pieces.join(''), 'hex');
const START = 'ffd8';
const FRAME = 'ffc0000b080005000701011100';
const SCAN = 'ffda0008010100003f003f';
const END = 'ffd9';

describe('JPEG', () => {
  it.each([
    ['its size', [START, FRAME, SCAN, END]],
    ['a comment', [START, 'fffe0004abcd', FRAME, SCAN, END]],
    ['fill bytes before markers', [START, 'ffff', FRAME, 'ff', SCAN, '00ffff', END]],
    ['stuffed and restart bytes among its pixels', [START, FRAME, SCAN, 'ff00ffd0ffd7', END]],
    ['several scans', [START, FRAME.replace('ffc0', 'ffc2'), SCAN, 'ff00', SCAN, END]],
    ['an end marker inside a segment', [START, 'ffe10004ffd9', FRAME, SCAN, END]],
  ])('is read with %s', (_name, pieces) => {
    expect(jpeg.measure(hex(...pieces))).toEqual({ width: 7, height: 5 });
  });

  it.each([
    ['without frame', [START, SCAN, END]],
    ['without scan', [START, FRAME, END]],
    ['with two frames', [START, FRAME, FRAME, SCAN, END]],
    ['with a scan before its frame', [START, SCAN, FRAME, END]],
    ['with a segment beyond its end', [START, FRAME, SCAN, 'fffeffff', END]],
    ['with a segment shorter than its length', [START, 'fffe0001', FRAME, SCAN, END]],
    ['with a frame of no component', [START, 'ffc000080800050007', '00', SCAN, END]],
    ['with a frame longer than its components', [START, 'ffc0000c08000500070101110000', SCAN, END]],
    ['with a scan of five components', [START, FRAME, 'ffda001005', '00'.repeat(13), END]],
    ['with a scan header longer than its components', [START, FRAME, 'ffda0009010100003f0000', END]],
    ['with a reserved marker', [START, 'ff020002', FRAME, SCAN, END]],
    ['with a second start', [START, START, FRAME, SCAN, END]],
    ['with something between segments', [START, '00', FRAME, SCAN, END]],
    ['without end', [START, FRAME, SCAN, '00']],
  ])('is refused %s', (_name, pieces) => {
    expect(() => jpeg.measure(hex(...pieces))).toThrow(BrokenImage);
  });

  it('with a preview inside is as large as itself', () => {
    const preview = wholeJpeg(99, 99);
    const length = (preview.length + 2).toString(16).padStart(4, '0');
    const whole = hex(START, 'ffe1', length, preview.toString('hex'), FRAME, SCAN, END);
    expect(jpeg.measure(whole)).toEqual({ width: 7, height: 5 });
  });
});
