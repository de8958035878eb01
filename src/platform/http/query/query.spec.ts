import { Body, ExecutionContext, Get, Param, Post, Query } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { QueryId, QueryIds } from './query-fields';
import { ListQuery, SearchableListQuery, SearchablePageQuery } from './page-query.dto';
import { QueryGuard } from './query.guard';
import type { RawQuery } from './raw-query';
import { RequestValidationPipe } from '../validation.pipe';

/** How often an `organizationId` was read. */
let reads = 0;

class SampleQuery extends SearchablePageQuery {
  @QueryIds() id?: readonly string[];
  @QueryId()
  @Transform(({ value }: { value: unknown }) => [(reads += 1), value][1])
  organizationId?: string;
}

class Lists {
  @Get() list(@Query() _query: SampleQuery): void {}
  @Get() listOfSkip(@Query() _query: ListQuery): void {}
  @Get() searchableList(@Query() _query: SearchableListQuery): void {}
  @Get() listOfRecord(@Param('id') _id: string, @Query() _query: ListQuery): void {}
  @Get() other(@Param('id') _id: string): void {}
  @Post() create(@Body() _body: SampleQuery): void {}
}
const { list, listOfSkip, listOfRecord, searchableList, other, create } = Lists.prototype;
const dtos = new Map<object, new () => object>([
  [list, SampleQuery],
  [listOfSkip, ListQuery],
  [listOfRecord, ListQuery],
  [searchableList, SearchableListQuery],
]);

/** Lets the guard check a request, and the pipe its query. @returns the query as the handler and the response get it */
async function check(
  handler: object,
  method: string,
  originalUrl: string,
  prefer?: string | string[],
  pipe = new RequestValidationPipe(),
): Promise<unknown> {
  const request = { headers: { prefer }, method, originalUrl, query: undefined as unknown };
  const http = { getRequest: () => request };
  const context = { getClass: () => Lists, getHandler: () => handler, switchToHttp: () => http };
  expect(new QueryGuard().canActivate(context as unknown as ExecutionContext)).toBe(true);
  const metatype = dtos.get(handler);
  if (!metatype) return undefined;
  const query = await pipe.transform(request.query, { type: 'query', metatype });
  expect((request.query as RawQuery).content).toBe(query);
  return query;
}

const id = '65f5f0a2c3d4e5f60718293a';
const read = (queryString: string, handler: object = list): Promise<unknown> =>
  check(handler, 'GET', `/things?${queryString}`);
const page = { skip: 0, limit: 50, sort: '_id' };

describe('a query string', () => {
  it.each<[string, object]>([
    ['', page],
    ['&', page],
    ['skip=1000000&limit=100', { ...page, skip: 1_000_000, limit: 100 }],
    [`after=${id}`, { ...page, after: id }],
    [`organizationId=${id}`, { ...page, organizationId: id }],
    [`id=${id}`, { ...page, limit: 100, id: [id] }],
    [`id=${id}&limit=2`, { ...page, limit: 2, id: [id] }],
    ['q=a+b%2Bc', { ...page, q: 'a b+c' }],
    ['q=a=b?c', { ...page, q: 'a=b?c' }],
    ['%71=%F0%9F%98%80', { ...page, q: '😀' }],
  ])('%s is accepted', async (queryString, expected) => {
    const query = await read(queryString);
    expect(query).toBeInstanceOf(SampleQuery);
    expect({ ...(query as object) }).toStrictEqual(expected);
  });

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
      'is unknown; these are known: skip, limit, after, q, updatedSince, sort, id, organizationId.',
      ['x=1', 'limit=a&x=1'],
    ],
    ...others.map((name): [string, string, string[]] => [name, 'is unknown', [`${name}=1`]]),
  ])('is refused: "%s" %s: %j', async (name, reason, queryStrings) => {
    const message = expect.stringContaining(`The query parameter "${name}" ${reason}`) as string;
    const refusal = expect.objectContaining({ status: 400, code: 1002, message }) as Error;
    for (const queryString of queryStrings) await expect(read(queryString)).rejects.toEqual(refusal);
  });

  it('shortens a name to 100 characters, never within one', async () => {
    const text = `${encodeURIComponent('😀'.repeat(101))}=1`;
    await expect(read(text)).rejects.toThrow(`"${'😀'.repeat(100)}" is unknown`);
  });
});

describe('an operation', () => {
  it('takes the parameters of its list only', async () => {
    for (const name of ['after', 'q'])
      await expect(read(`${name}=${id}`, listOfSkip)).rejects.toThrow(`"${name}" is unknown`);
    await expect(read('skip=1', listOfRecord)).resolves.toEqual({ skip: 1 });
    await expect(read(`after=${id}`, searchableList)).rejects.toThrow('"after" is unknown');
  });

  it('takes no parameters if it is not a list', async () => {
    for (const queryString of ['', '&']) await expect(read(queryString, other)).resolves.toBeUndefined();
    await expect(read('limit=1', other)).rejects.toThrow('"limit" is unknown; this operation has none.');
    await expect(read('limit=%', other)).rejects.toThrow('"limit" is not percent-encoded UTF-8');
    await expect(check(other, 'HEAD', '/things/1?limit=1')).rejects.toThrow('"limit" is unknown');
  });

  it.each([
    ['POST', '/things?limit=1', 'limit'],
    ['PUT', '/things?a=1&b=2', 'a'],
    ['DELETE', '/things?&', ''],
  ])('that writes takes no query string: the error of %s %s names %j', async (method, url, name) => {
    const refusal = `The query parameter "${name}" is not allowed: a ${method} request has no query string.`;
    for (const handler of [create, list]) await expect(check(handler, method, url)).rejects.toThrow(refusal);
    for (const empty of ['/things', '/things?']) await expect(check(create, method, empty)).resolves.toBeUndefined();
  });
});

describe('the parameters of a list', () => {
  it('are the same for HEAD and GET, and cannot be changed', async () => {
    for (const method of ['HEAD', 'GET']) {
      const query = await check(list, method, '/things?limit=2', 'count=exact');
      expect(query).toMatchObject({ limit: 2, exactCount: true });
      expect(Object.isFrozen(query)).toBe(true);
    }
    expect(Object.isFrozen(await read('limit=2'))).toBe(true);
  });

  it('have an exact count only for the request that asks for it, however often the same ones come', async () => {
    const pipe = new RequestValidationPipe();
    const counts: unknown[] = [];
    for (const prefer of ['count=exact', undefined, 'count=exact', undefined]) {
      const query = (await check(list, 'GET', '/things?limit=2', prefer, pipe)) as ListQuery;
      expect(query).toBeInstanceOf(SampleQuery);
      counts.push(query.exactCount);
    }
    expect(counts).toEqual([true, undefined, true, undefined]);
  });

  it('are read once, unless they are long or have an after, and at most 1000 are remembered', async () => {
    const pipe = new RequestValidationPipe();
    const readsOf = async (parameters: string): Promise<number> => {
      reads = 0;
      await check(list, 'GET', `/things?${parameters}`, undefined, pipe);
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
      expect([parameters, await readsOf(parameters), await readsOf(parameters)]).toEqual([parameters, 1, again]);
    }
    for (let skip = 2; skip < 1000; skip += 1) await readsOf(`skip=${skip}`);
    expect(await readsOf(known)).toBe(0);
    await readsOf('skip=1000');
    expect(await readsOf(known)).toBe(1);
  });

  it.each([
    ...['count=exact', 'Count = "exact"', 'respond-async, count=exact; a=b', 'COUNT=EXACT'],
    ...['count=exact, count=none', ['a', 'count=exact']],
  ])('count all records for Prefer: %j', async (prefer) => {
    expect(await check(list, 'GET', '/things', prefer)).toMatchObject({ exactCount: true });
  });

  it.each([
    ...[undefined, '', 'count', 'count=none', 'exact', 'count=none, count=exact', 'x-count=exact'],
    ...['a="count=exact"', 'a="b, count=exact"', 'a="b, count=exact, c"', 'count, count=exact'],
  ])('do not for Prefer: %j', async (prefer) => {
    expect(await check(list, 'GET', '/things', prefer)).not.toHaveProperty('exactCount');
  });
});
