/** A baseline JPEG: a quantization table of ones, two Huffman tables with one code each, one grey block. */
export function jpeg(width = 1, height = 1): Buffer {
  const frame = Buffer.from('ffc0000b080000000001011100', 'hex');
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([
    Buffer.from('ffd8ffdb004300', 'hex'),
    Buffer.alloc(64, 1),
    frame,
    Buffer.from(`ffc400140001${'00'.repeat(16)}`, 'hex'),
    Buffer.from(`ffc400141001${'00'.repeat(16)}`, 'hex'),
    Buffer.from('ffda0008010100003f003fffd9', 'hex'),
  ]);
}

/** A GIF of one image, which is as large as its screen. */
export function gif(width = 1, height = 1): Buffer {
  const whole = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  for (const at of [6, 32]) {
    whole.writeUInt16LE(width, at);
    whole.writeUInt16LE(height, at + 2);
  }
  return whole;
}

export function webp(width = 1, height = 1): Buffer {
  const whole = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');
  whole.writeUInt32LE(((width - 1) | ((height - 1) << 14) | (1 << 28)) >>> 0, 21);
  return whole;
}
