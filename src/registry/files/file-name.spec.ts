import { contentDisposition, storedFileName } from './file-name';

describe('file names', () => {
  it.each(
    Object.entries({
      'logo.png': ['logo.png', '  logo.png\t'],
      'Zürich.png': ['Zu\u0308rich.png'],
      'aSet-Cookie: x': ['a\r\nSet-Cookie: x'],
      'abgnp.exe': ['a\0b\u202Egnp.exe'],
      a: ['\ud800a'],
      '👩‍🚀.png': ['👩‍🚀.png'],
      'image.png': ['', undefined, '.\u200B.', '.', '\u200B'],
    }),
  )('are stored as %j: %j', (stored, given) => {
    expect(given.map((name) => storedFileName(name, 'image/png'))).toEqual(given.map(() => stored));
  });

  it('are limited to 255 code points', () => {
    expect(storedFileName('🚀'.repeat(255), 'image/png')).toBe('🚀'.repeat(255));
    expect(storedFileName('🚀'.repeat(256), 'image/png')).toBe('🚀'.repeat(255));
    expect(storedFileName(`${'a'.repeat(254)} b`, 'image/png')).toBe('a'.repeat(254));
  });

  it.each([
    ['logo.png', 'image/png', 'inline; filename="logo.png"'],
    ['LOGO.JPEG', 'image/jpeg', 'inline; filename="LOGO.JPEG"'],
    ['page.html', 'image/gif', 'inline; filename="page.html.gif"'],
    ['a"b\\.png', 'image/png', `inline; filename="a_b_.png"; filename*=UTF-8''a%22b%5C.png`],
    ['50%.webp', 'image/webp', `inline; filename="50_.webp"; filename*=UTF-8''50%25.webp`],
    [
      `Z\u00fcrich's (*).png`,
      'image/png',
      `inline; filename="Z_rich_s (_).png"; filename*=UTF-8''Z%C3%BCrich%27s%20%28%2A%29.png`,
    ],
    ['特.png', 'image/png', `inline; filename="_.png"; filename*=UTF-8''%E7%89%B9.png`],
  ] as const)('%j, which is %s, gets the header %j', (name, type, header) => {
    expect(contentDisposition(name, type)).toBe(header);
  });
});
