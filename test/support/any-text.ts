import * as fc from 'fast-check';

/** Any character, half a surrogate pair too. Making the `binary` unit of fast-check takes seconds. */
export const anyCharacter = fc.nat({ max: 0x10ffff }).map((point) => String.fromCodePoint(point));

/** Any text. */
export const anyText = fc.string({ unit: anyCharacter });
