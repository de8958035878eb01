import { ExecutionContext, Query } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { QueryId } from './query-fields';
import { ListQuery, SearchableListQuery, SearchablePageQuery } from './page-query.dto';
import { QueryGuard } from './query.guard';

/** How often an `organizationId` was read. */
let reads = 0;

class SampleQuery extends SearchablePageQuery {
  @QueryId()
  @Transform(({ value }: { value: unknown }) => [(reads += 1), value][1])
  organizationId?: string;
}

class Lists {
  list(@Query() _query: SampleQuery): void {}
  listOfSkip(@Query() _query: ListQuery): void {}
  searchableList(@Query() _query: SearchableListQuery): void {}
  other(): void {}
}
const { list, listOfSkip, searchableList, other } = Lists.prototype;

/** Lets a guard check a request. @returns its query */
const check = (
  handler: object,
  method: string,
  originalUrl: string,
  prefer?: string | string[],
  guard = new QueryGuard(),
): unknown => {
  const request = { headers: { prefer }, method, originalUrl, query: undefined as unknown };
  const http = { getRequest: () => request };
  const context = { getClass: () => Lists, getHandler: () => handler, switchToHttp: () => http };
  expect(guard.canActivate(context as unknown as ExecutionContext)).toBe(true);
  return request.query;
};

const id = '65f5f0a2c3d4e5f60718293a';
const read = (queryString: string, handler: object = list): unknown => check(handler, 'GET', `/things?${queryString}`);
const page = { skip: 0, limit: 50, sort: '_id', exactCount: false };

describe('a query string', () => {
  it.each<[string, object]>([
    ['', page],
    ['&', page],
    ['skip=1000000&limit=100', { ...page, skip: 1_000_000, limit: 100 }],
    [`after=${id}`, { ...page, after: id }],
    [`organizationId=${id}`, { ...page, organizationId: id }],
    ['q=a+b%2Bc', { ...page, q: 'a b+c' }],
    ['q=a=b?c', { ...page, q: 'a=b?c' }],
    ['%71=%F0%9F%98%80', { ...page, q: '😀' }],
  ])('%s is accepted', (queryString, expected) => expect({ ...(read(queryString) as object) }).toStrictEqual(expected));

  const others = ['', 'Q', 'q[]', '__proto__', 'constructor'];
  it.each<[string, string, string[]]>([
    ['limit', 'must be a whole number from 1 to 100', ['limit=0', 'limit']],
    ['after', 'cannot be combined with "skip"', [`after=${id}&skip=0`, `skip=0&after=${id}`]],
    ['q', 'is given twice', ['q=a&q=a', 'q=a&%71=b']],
    ['q', 'contains a control character', ['q=a%00b', 'q=a%0Ab', 'q=%C2%85']],
    ['q', 'is not encoded correctly', ['q=\u00e9']],
    ['q', 'is not percent-encoded UTF-8', ['q=%', 'q=%zz', 'q=%FF', 'q=%ED%A0%80', 'q=%C0%80']],
    ['a%00', 'contains a control character', ['a%00=1']],
    ['%', 'is not percent-encoded UTF-8', ['%=1']],
    [
      'x',
      'is unknown; these are known: skip, limit, after, q, updatedSince, sort, organizationId.',
      ['x=1', 'limit=a&x=1'],
    ],
    ...others.map((name): [string, string, string[]] => [name, 'is unknown', [`${name}=1`]]),
  ])('is refused: "%s" %s: %j', (name, reason, queryStrings) => {
    const message = expect.stringContaining(`The query parameter "${name}" ${reason}`) as string;
    const refusal = expect.objectContaining({ status: 400, code: 1002, message }) as Error;
    for (const queryString of queryStrings) expect(() => read(queryString)).toThrow(refusal);
  });

  it('shortens a name to 100 characters, never within one', () => {
    expect(() => read(`${encodeURIComponent('😀'.repeat(101))}=1`)).toThrow(`"${'😀'.repeat(100)}" is unknown`);
  });
});

describe('an operation', () => {
  it('takes the parameters of its list only, and none if it is not a list', () => {
    expect(read('', other)).toEqual({});
    expect(() => read('limit=1', other)).toThrow('"limit" is unknown; this operation has none.');
    for (const name of ['after', 'q']) expect(() => read(`${name}=${id}`, listOfSkip)).toThrow(`"${name}" is unknown`);
    expect(() => read(`after=${id}`, searchableList)).toThrow('"after" is unknown');
  });
});

describe('QueryGuard', () => {
  it('puts the parameters of a list into the request, and nothing for other handlers', () => {
    const query = check(list, 'GET', '/things?limit=2', 'count=exact');
    expect(query).toBeInstanceOf(SampleQuery);
    expect(query).toMatchObject({ limit: 2, exactCount: true });
    expect(check(list, 'HEAD', '/things?limit=2')).toMatchObject({ limit: 2, exactCount: false });
    for (const method of ['GET', 'POST']) expect(check(other, method, '/things', 'count=exact')).toEqual({});
    expect(check(other, 'POST', '/things?')).toEqual({});
  });

  it('gives each request parameters of its own, however often the same ones come', () => {
    const guard = new QueryGuard();
    const [first, second] = [1, 2].map(
      () => check(list, 'GET', '/things?limit=2', undefined, guard) as { limit: number },
    );
    first!.limit = 3;
    expect(second).toMatchObject({ limit: 2 });
    expect(check(list, 'GET', '/things?limit=2', undefined, guard)).toMatchObject({ limit: 2 });
  });

  it('reads a query string once, unless it is long or has an after, and remembers 1000 at most', () => {
    const guard = new QueryGuard();
    const readsOf = (parameters: string): number => {
      reads = 0;
      check(list, 'GET', `/things?${parameters}`, undefined, guard);
      return reads;
    };
    const known = `organizationId=${id}`;
    const long = `${known}&skip=`.padEnd(200, '0');
    for (const [parameters, again] of [
      [known, 0],
      [long, 0],
      [`${long}0`, 1],
      [`${known}&after=${id}`, 1],
    ] as const) {
      expect([parameters, readsOf(parameters), readsOf(parameters)]).toEqual([parameters, 1, again]);
    }
    for (let skip = 2; skip < 1000; skip += 1) readsOf(`skip=${skip}`);
    expect(readsOf(known)).toBe(0);
    readsOf('skip=1000');
    expect(readsOf(known)).toBe(1);
  });

  it.each([
    ...['count=exact', 'Count = "exact"', 'respond-async, count=exact; a=b', 'COUNT=EXACT'],
    ...['count=exact, count=none', ['a', 'count=exact']],
  ])('counts all records for Prefer: %j', (prefer) => {
    expect(check(list, 'GET', '/things', prefer)).toMatchObject({ exactCount: true });
  });

  it.each([
    ...[undefined, '', 'count', 'count=none', 'exact', 'count=none, count=exact', 'x-count=exact'],
    ...['a="count=exact"', 'a="b, count=exact"'],
  ])('does not for Prefer: %j', (prefer) => {
    expect(check(list, 'GET', '/things', prefer)).toMatchObject({ exactCount: false });
  });

  it.each([
    ['POST', '/things?limit=1', 'limit'],
    ['PUT', '/things?a=1&b=2', 'a'],
    ['DELETE', '/things?&', ''],
  ])('refuses a query string on %s %s; the error names %j', (method, url, name) => {
    const refusal = `The query parameter "${name}" is not allowed: a ${method} request has no query string.`;
    expect(() => check(list, method, url)).toThrow(refusal);
  });
});
