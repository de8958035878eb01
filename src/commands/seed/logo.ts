import { crc32, deflateSync } from 'node:zlib';

/** Says whether a point belongs to a shape; its centre is 0, 0, and the image goes from -1 to 1. */
type Shape = (x: number, y: number) => boolean;

const SHAPES = {
  ring: (x, y) => Math.hypot(x, y) < 0.7 && Math.hypot(x, y) > 0.38,
  bars: (x, y) => Math.abs(x) < 0.66 && y < 0.6 && y > -0.1 - x * 0.6 && Math.abs(((x + 2) % 0.44) - 0.22) < 0.14,
  diamond: (x, y) => Math.abs(x) + Math.abs(y) < 0.75 && Math.abs(x) + Math.abs(y) > 0.3,
  person: (x, y) => Math.hypot(x, y + 0.32) < 0.28 || (y < 0.62 && Math.hypot(x, y - 0.62) < 0.55),
  arrow: (x, y) => Math.abs(y) < (x > 0 ? 0.62 - x : x > -0.65 ? 0.18 : 0),
  waves: (x, y) => Math.abs(x) < 0.75 && [-0.4, 0, 0.4].some((at) => Math.abs(y - at - Math.sin(x * 6) / 9) < 0.1),
  tiles: (x, y) => [x, y].every((at) => Math.abs(Math.abs(at) - 0.36) < 0.27),
} satisfies Record<string, Shape>;

export type LogoShape = keyof typeof SHAPES;

/** Width and height in pixels. */
const SIDE = 128;

/** Draws a white shape on a colour as a PNG with a palette and one bit per pixel (ISO/IEC 15948). @param colour `2a6f97` */
export function drawLogo(shape: LogoShape, colour: string): Buffer {
  // Each row begins with its filter, which is none.
  const rows = Buffer.alloc(SIDE * (1 + SIDE / 8));
  for (let at = 0; at < SIDE * SIDE; at += 1) {
    const [column, row] = [at % SIDE, Math.floor(at / SIDE)];
    const isWhite = SHAPES[shape]((column * 2 + 1) / SIDE - 1, (row * 2 + 1) / SIDE - 1);
    if (isWhite) rows[row * (1 + SIDE / 8) + 1 + (column >> 3)]! |= 0x80 >> (column & 7);
  }
  const header = Buffer.from([0, 0, 0, SIDE, 0, 0, 0, SIDE, 1, 3, 0, 0, 0]);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const palette = Buffer.from(`${colour}ffffff`, 'hex');
  const chunks = [chunk('IHDR', header), chunk('PLTE', palette), chunk('IDAT', deflateSync(rows)), chunk('IEND')];
  return Buffer.concat([signature, ...chunks]);
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  const named = Buffer.concat([Buffer.from(type), data]);
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
