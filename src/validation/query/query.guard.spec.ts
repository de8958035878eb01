import { ExecutionContext } from '@nestjs/common';
import { PageParams } from './page-params.decorator';
import { QueryId, QueryOneOf, QueryText } from './query-fields';
import { ListQuery, SearchableListQuery, SearchablePageQuery } from './page-query.dto';
import { QueryGuard, readQuery } from './query.guard';

class SampleQuery extends SearchablePageQuery {
  @QueryId()
  organizationId?: string;

  @QueryOneOf(['design', 'testing'])
  lifecycleStatus?: string;

  @QueryText({ max: 10 })
  slug?: string;
}

const id = '65f5f0a2c3d4e5f60718293a';
const read = (queryString: string): object => ({ ...readQuery(queryString, SampleQuery) });
const page = { skip: 0, limit: 50 };

describe('a query string', () => {
  it.each([
    ['', page],
    ['&', page],
    ['skip=0&limit=1', { skip: 0, limit: 1 }],
    ['skip=1000000&limit=100', { skip: 1_000_000, limit: 100 }],
    ['limit=007', { skip: 0, limit: 7 }],
    [`after=${id}`, { ...page, after: id }],
    [`organizationId=${id}&lifecycleStatus=testing`, { ...page, organizationId: id, lifecycleStatus: 'testing' }],
    ['q=a+b%2Bc', { ...page, q: 'a b+c' }],
    ['q=+', { ...page, q: ' ' }],
    ['q=a=b?c', { ...page, q: 'a=b?c' }],
    ['%71=%F0%9F%98%80', { ...page, q: '😀' }],
    [`q=${'%F0%9F%98%80'.repeat(100)}`, { ...page, q: '😀'.repeat(100) }],
    ['q=e%CC%81', { ...page, q: 'e\u0301' }],
    ['slug=a-b', { ...page, slug: 'a-b' }],
  ])('%s is accepted', (queryString, expected) => expect(read(queryString)).toStrictEqual(expected));

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=', 'limit'],
    ['limit', 'limit'],
    ['limit=+1', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.0', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=0x1', 'limit'],
    ['limit=%D9%A1', 'limit'],
    [`limit=${'9'.repeat(400)}`, 'limit'],
    ['skip=1000001', 'skip'],
    ['skip=-1', 'skip'],
    ['skip=a', 'skip'],
    ['after=x', 'after'],
    ['after=', 'after'],
    [`after=${id.toUpperCase()}`, 'after'],
    [`after=${id}&skip=0`, 'after'],
    ['organizationId=x', 'organizationId'],
    ['lifecycleStatus=live', 'lifecycleStatus'],
    ['lifecycleStatus=', 'lifecycleStatus'],
    ['q=', 'q'],
    [`q=${'a'.repeat(101)}`, 'q'],
    ['q=a&q=a', 'q'],
    ['q=a&%71=b', 'q'],
    ['q=a%00b', 'q'],
    ['q=a%0Ab', 'q'],
    ['q=%C2%85', 'q'],
    ['q=%', 'q'],
    ['q=%zz', 'q'],
    ['q=%FF', 'q'],
    ['q=%ED%A0%80', 'q'],
    ['q=%C0%80', 'q'],
    ['q=\u00e9', 'q'],
    ['slug=', 'slug'],
    ['x=1', 'x'],
    ['=1', ''],
    ['Q=a', 'Q'],
    ['q[]=a', 'q[]'],
    ['__proto__=1', '__proto__'],
    ['constructor=1', 'constructor'],
    ['limit=a&x=1', 'x'],
    ['a%00=1', 'a%00'],
    ['%=1', '%'],
  ])('%s is refused, and the error names %j', (queryString, name) => {
    const message = expect.stringContaining(`parameter ${JSON.stringify(name)} `) as string;
    expect(() => read(queryString)).toThrow(expect.objectContaining({ status: 400, code: 1002, message }) as Error);
  });

  it('has an error with at most 100 characters of a name', () => {
    expect(() => read(`${'x'.repeat(5000)}=1`)).toThrow(`The query parameter "${'x'.repeat(100)}" is unknown.`);
  });
});

describe('an operation', () => {
  it('that is not a list takes no parameters', () => {
    expect(readQuery('')).toEqual({});
    expect(() => readQuery('limit=1')).toThrow('"limit" is unknown');
  });

  it.each([
    [ListQuery, 'after'],
    [ListQuery, 'q'],
    [SearchableListQuery, 'after'],
  ])('with a %p takes no %s', (dto, name) => {
    expect(() => readQuery(`${name}=${id}`, dto)).toThrow(`"${name}" is unknown`);
  });
});

describe('the error of a query string', () => {
  it.each([
    ['x=1', '"x" is unknown.'],
    ['q=a&q=a', '"q" is given twice.'],
    ['q=\u00e9', '"q" is not encoded as it should be.'],
    ['q=%FF', '"q" is not percent-encoded UTF-8.'],
    ['q=%00', '"q" contains a control character.'],
    ['limit=x', '"limit" must be a whole number from 1 to 100.'],
    ['q', '"q" must have 1 to 100 characters.'],
    ['after=x', '"after" must be 24 lower-case hexadecimal digits.'],
    ['lifecycleStatus=live', '"lifecycleStatus" must be one of: design, testing.'],
    [`skip=0&after=${id}`, '"after" cannot be combined with "skip".'],
  ])('%s: %s', (queryString, reason) => {
    expect(() => read(queryString)).toThrow(`The query parameter ${reason}`);
  });

  it('shortens a name between characters', () => {
    expect(() => read(`${encodeURIComponent('😀'.repeat(101))}=1`)).toThrow(`"${'😀'.repeat(100)}" is unknown`);
  });
});

describe('QueryGuard', () => {
  class Lists {
    list(@PageParams() _query: SampleQuery): void {}
    other(): void {}
  }
  const { list, other } = Lists.prototype;
  const check = (handler: object, method: string, originalUrl: string, prefer?: string): unknown => {
    const request = { headers: { prefer }, method, originalUrl, query: undefined as unknown };
    const context = { getHandler: () => handler, switchToHttp: () => ({ getRequest: () => request }) };
    expect(new QueryGuard().canActivate(context as unknown as ExecutionContext)).toBe(true);
    return request.query;
  };

  it('puts the parameters of a list into the request', () => {
    const query = check(list, 'GET', '/things?limit=2', 'count=exact');
    expect(query).toBeInstanceOf(SampleQuery);
    expect(query).toMatchObject({ limit: 2, exactCount: true });
    expect(check(list, 'HEAD', '/things?limit=2')).toMatchObject({ limit: 2, exactCount: false });
  });

  it('puts nothing there for other handlers, whatever they prefer', () => {
    for (const method of ['GET', 'POST']) expect(check(other, method, '/things', 'count=exact')).toEqual({});
    expect(check(other, 'POST', '/things?')).toEqual({});
  });

  it.each([
    ['POST', '/things?limit=1', 'limit'],
    ['PUT', '/things?a=1&b=2', 'a'],
    ['DELETE', '/things?&', ''],
  ])('refuses a query string on %s %s; the error names %j', (method, url, name) => {
    const refusal = `The query parameter "${name}" is not allowed: a ${method} request has no query string.`;
    expect(() => check(list, method, url)).toThrow(refusal);
  });

  it('takes the parameters of handlers only', () => {
    expect(() => PageParams()(Lists, undefined, 0)).toThrow('@PageParams() is for the parameters of handlers.');
  });
});
