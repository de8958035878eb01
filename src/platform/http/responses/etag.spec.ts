import { etagOf, ifNoneMatch, Precondition } from './etag';
import { ResponseField } from './response-fields';

const etag = '"1-7"';

test('an ETag is strong, and another one for each revision, and once a response has another field', () => {
  const before = etagOf({ revision: 7 });
  expect(before).toMatch(/^"[\w-]{6}-7"$/);
  expect(etagOf({ revision: 8 })).not.toBe(before);
  expect(etagOf({ revision: 7 })).toBe(before);
  ResponseField()({}, 'field');
  expect(etagOf({ revision: 7 })).not.toBe(before);
});

/** Lists that contain the strong tag. */
const named = [
  ...[etag, ` ${etag} `, `"x", ${etag}`, `"x",${etag}`, `"x"\t,\t${etag}`, `, ,${etag},`],
  ...[`W/${etag}, ${etag}`, `"a,b", ${etag}`],
];
/** Lists that do not contain it, or are malformed. */
const other = [
  ...['', ',', '\u00ff', '"1-8"', '1-7', '"1-7', `${etag}x`, `x ${etag}`, `"x" ${etag}`, `"x"; ${etag}`],
  ...[`"a b", ${etag}`, `w/"x", ${etag}`, `W/ ${etag}`, '**', '"a,*,b"'],
];

type Row = [header: string | undefined, allows: boolean, matches: boolean];

it.each<Row>([
  [undefined, true, false],
  ...['*', ' * ', ...named].map((header): Row => [header, true, true]),
  ...[`W/${etag}`, `"x", W/${etag}`].map((header): Row => [header, false, true]),
  ...[`"x", *`, '*, *', `*, ${etag}`].map((header): Row => [header, false, true]),
  ...other.map((header): Row => [header, false, false]),
])('If-Match %j allows the change: %j; as If-None-Match it matches: %j', (header, allows, matches) => {
  expect(new Precondition({ 'if-match': header }).allows(etag)).toBe(allows);
  expect(ifNoneMatch(header, etag)).toBe(matches);
  const unless = new Precondition({ 'if-none-match': header });
  expect([unless.isKnown(etag), unless.allows(etag)]).toEqual([matches, !matches]);
});

it.each<[object, string | RegExp]>([
  [{ 'if-match': 'W/"x", W/"1-7"' }, /^If-Match has a weak ETag.* proxy /],
  [{ 'if-match': 'x' }, /^If-Match must be a strong ETag in double quotes, as the ETag header shows it\.$/],
  [{ 'if-match': 'W/"x", "1-6"' }, /^(?!If-Match (?:must|has))/],
  [{ 'if-none-match': etag }, "If-None-Match matches the record's ETag."],
])('the message of a 412 says what is wrong with %j', (headers, message) => {
  const refusal = { status: 412, code: 1600, message: expect.stringMatching(message) as string };
  expect(() => new Precondition(headers).require(etag)).toThrow(expect.objectContaining(refusal) as Error);
});
