import { etagOf, etagOfBody, etagOfResponse, ifNoneMatch, Precondition } from './etag';
import { ResponseField } from './response-fields';

const etag = '"1-7"';

describe('an ETag', () => {
  it('is strong, and another one for each revision, and once a response has another field', () => {
    const before = etagOf({ revision: 7 });
    expect(before).toMatch(/^"[\w-]{6}-7"$/);
    expect(etagOf({ revision: 8 })).not.toBe(before);
    expect(etagOf({ revision: 7 })).toBe(before);
    ResponseField()({}, 'field');
    expect(etagOf({ revision: 7 })).not.toBe(before);
  });

  it('of a body is the same for equal bodies and different for others', () => {
    expect(etagOfBody({ a: 1 })).toMatch(/^"[\w-]{43}"$/);
    expect(etagOfBody({ a: 1 })).toBe(etagOfBody({ a: 1 }));
    expect(etagOfBody({ a: 2 })).not.toBe(etagOfBody({ a: 1 }));
  });

  it('of a response is that of the record, or of the body where the record has no revision', () => {
    expect(etagOfResponse({ revision: 7 }, () => ({ a: 1 }))).toBe(etagOf({ revision: 7 }));
    expect(etagOfResponse({}, () => ({ a: 1 }))).toBe(etagOfBody({ a: 1 }));
  });
});

/** Lists that contain the strong tag. */
const named = [
  ...[etag, ` ${etag} `, `"x", ${etag}`, `"x",${etag}`, `"x"\t,\t${etag}`, `, ,${etag},`],
  ...[`W/${etag}, ${etag}`, `"a,b", ${etag}`],
];
/** Lists that do not contain it, or are malformed. */
const other = [
  ...['', ',', '\u00ff', '"1-8"', '1-7', '"1-7', `${etag}x`, `x ${etag}`, `"x" ${etag}`, `"x"; ${etag}`],
  ...[`"a b", ${etag}`, `w/"x", ${etag}`, `W/ ${etag}`, '**'],
];

type Row = [header: string | undefined, allows: boolean, matches: boolean];

it.each<Row>([
  [undefined, true, false],
  ...['*', ' * ', ...named].map((header): Row => [header, true, true]),
  ...[`W/${etag}`, `"x", W/${etag}`].map((header): Row => [header, false, true]),
  ...[`"x", *`, '*, *', `*, ${etag}`].map((header): Row => [header, false, true]),
  ['"a,*,b"', false, false],
  ...other.map((header): Row => [header, false, false]),
])('If-Match %j allows the change: %j; as If-None-Match it matches: %j', (header, allows, matches) => {
  expect(new Precondition({ 'if-match': header }).allows(etag)).toBe(allows);
  expect(ifNoneMatch(header, etag)).toBe(matches);
  const unless = new Precondition({ 'if-none-match': header });
  expect([unless.isKnown(etag), unless.allows(etag)]).toEqual([matches, !matches]);
});

it.each([
  ['only weak ETags', 'W/"x", W/"1-7"', /^If-Match has a weak ETag.* proxy /],
  ['a text that is no ETag', 'x', /^If-Match must be a strong ETag in double quotes, as the ETag header shows it\.$/],
  ['one that is out of date', 'W/"x", "1-6"', /^(?!If-Match (?:must|has))/],
])('the message of a 412 says what is wrong with an If-Match that has %s', (_what, header, message) => {
  expect(() => new Precondition({ 'if-match': header }).require(etag)).toThrow(
    expect.objectContaining({ code: 1600, message: expect.stringMatching(message) as string }) as Error,
  );
});

test('a precondition of a record is met without a header, and with the ETag of its revision', () => {
  const record = { revision: 7 };
  const [none, matching, stale] = [undefined, etagOf(record), etagOf({ revision: 6 })].map(
    (one) => new Precondition({ 'if-match': one }),
  );
  expect([none, matching, stale].map((one) => one!.isGiven)).toEqual([false, true, true]);
  for (const met of [none, matching]) expect(() => met!.require(record)).not.toThrow();
  expect(() => stale!.require(record)).toThrow(expect.objectContaining({ status: 412, code: 1600 }) as Error);
});

test('If-None-Match refuses a change of the record that has its ETag, and says so', () => {
  const known = new Precondition({ 'if-none-match': etag });
  expect(known.isGiven).toBe(true);
  const message = "If-None-Match matches the record's ETag.";
  expect(() => known.require(etag)).toThrow(expect.objectContaining({ code: 1600, message }) as Error);
  expect(() => known.require('"1-8"')).not.toThrow();
});
