import { Body, type ExecutionContext, Get, Post, Query } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { RecordId } from '../fields/value-fields';
import { QueryIds } from './query-fields';
import { SearchablePageQuery } from './page-query.dto';
import { QueryGuard } from './query.guard';
import type { RawQuery } from './raw-query';
import { RequestValidationPipe } from '../validation.pipe';

/** How often an `organizationId` was read. */
let reads = 0;

class SampleQuery extends SearchablePageQuery {
  @QueryIds() id?: readonly string[];
  @RecordId({ filter: true })
  @Transform(({ value }: { value: unknown }) => [(reads += 1), value][1])
  organizationId?: string;
}

class Lists {
  @Get() list(@Query() _query: SampleQuery): void {}
  @Get() other(): void {}
  @Post() create(@Body() _body: SampleQuery): void {}
}
const { list, other, create } = Lists.prototype;

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
  if (handler !== list) return undefined;
  const query = await pipe.transform(request.query, { type: 'query', metatype: SampleQuery });
  expect((request.query as RawQuery).content).toBe(query);
  return query;
}

const id = '65f5f0a2c3d4e5f60718293a';
const read = (queryString: string): Promise<unknown> => check(list, 'GET', `/things?${queryString}`);
const page = { skip: 0, limit: 50, sort: '_id' };

it.each<[string, object]>([
  ['&', page],
  ['skip=1000000&limit=100', { ...page, skip: 1_000_000, limit: 100 }],
  [`after=${id}`, { ...page, after: id }],
  [`id=${id}`, { ...page, limit: 100, id: [id] }],
  [`id=${id}&limit=2`, { ...page, limit: 2, id: [id] }],
  ['q=a+b%2Bc', { ...page, q: 'a b+c' }],
  ['q=a=b?c', { ...page, q: 'a=b?c' }],
  ['%71=%F0%9F%98%80', { ...page, q: '😀' }],
])('the query string %s is accepted', async (queryString, expected) => {
  expect({ ...((await read(queryString)) as object) }).toStrictEqual(expected);
});

const KNOWN = 'is unknown; these are known: skip, limit, after, q, updatedSince, sort, id, organizationId.';

it.each<[string, string, string[]]>([
  ['limit', 'must be a whole number from 1 to 100', ['limit=0', 'limit']],
  ['after', 'cannot be combined with "skip"', [`after=${id}&skip=0`, `skip=0&after=${id}`]],
  ['q', 'is given twice', ['q=a&q=a', 'q=a&%71=b']],
  ['q', 'contains a control character', ['q=a%00b', 'q=a%0Ab', 'q=%C2%85']],
  ['q', 'is not encoded correctly', ['q=\u00e9']],
  ['q', 'is not percent-encoded UTF-8', ['q=%', 'q=%zz', 'q=%FF', 'q=%ED%A0%80', 'q=%C0%80']],
  ['a%00', 'contains a control character', ['a%00=1']],
  ['%', 'is not percent-encoded UTF-8', ['%=1']],
  ['x', KNOWN, ['x=1', 'limit=a&x=1']],
  ['😀'.repeat(100), KNOWN, [`${encodeURIComponent('😀'.repeat(101))}=1`]],
  ...['', 'Q', 'q[]', '__proto__', 'constructor'].map((name): [string, string, string[]] => [
    name,
    KNOWN,
    [`${name}=1`],
  ]),
])('is refused: "%s" %s: %j', async (name, reason, queryStrings) => {
  const message = expect.stringContaining(`The query parameter "${name}" ${reason}`) as string;
  const refusal = expect.objectContaining({ status: 400, code: 1002, message }) as Error;
  for (const queryString of queryStrings) await expect(read(queryString)).rejects.toEqual(refusal);
});

it('an operation that is no list takes no parameters, and one that writes no query string', async () => {
  for (const method of ['GET', 'HEAD']) {
    await expect(check(other, method, '/things/1?&')).resolves.toBeUndefined();
    await expect(check(other, method, '/things/1?limit=1')).rejects.toThrow('is unknown; this operation has none.');
  }
  await expect(check(other, 'GET', '/things/1?limit=%')).rejects.toThrow('"limit" is not percent-encoded UTF-8');
  for (const [method, parameters, name] of [
    ['POST', 'limit=1', 'limit'],
    ['PUT', 'a=1&b=2', 'a'],
    ['DELETE', '&', ''],
  ] as const) {
    const refusal = `The query parameter "${name}" is not allowed: a ${method} request has no query string.`;
    for (const handler of [create, list])
      await expect(check(handler, method, `/things?${parameters}`)).rejects.toThrow(refusal);
    for (const empty of ['/things', '/things?']) await expect(check(create, method, empty)).resolves.toBeUndefined();
  }
});

describe('the parameters of a list', () => {
  it('cannot be changed, and have an exact count only for the request that asks for it', async () => {
    const pipe = new RequestValidationPipe();
    const counts: unknown[] = [];
    for (const prefer of ['count=exact', undefined, 'count=exact', undefined]) {
      const query = (await check(list, 'GET', '/things?limit=2', prefer, pipe)) as SampleQuery;
      expect(query).toBeInstanceOf(SampleQuery);
      expect(Object.isFrozen(query)).toBe(true);
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

  it.each<[boolean | undefined, unknown[]]>([
    [true, ['count=exact', 'Count = "exact"', 'respond-async, count=exact; a=b', 'COUNT=EXACT']],
    [true, ['count=exact, count=none', ['a', 'count=exact']]],
    [undefined, [undefined, '', 'count', 'count=none', 'exact', 'count=none, count=exact', 'x-count=exact']],
    [undefined, ['a="count=exact"', 'a="b, count=exact"', 'a="b, count=exact, c"', 'count, count=exact']],
  ])('count all records (%j) for Prefer: %j', async (exactCount, headers) => {
    for (const prefer of headers as string[])
      expect([prefer, await check(list, 'GET', '/things', prefer)]).toEqual([prefer, { ...page, exactCount }]);
  });
});
