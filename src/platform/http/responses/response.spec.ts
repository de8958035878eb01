import Fastify, { type LightMyRequestResponse } from 'fastify';
import { Types } from 'mongoose';
import type { Page, Paging } from '../../records/reads/page';
import { etagOf, etagOfBody } from './etag';
import { linkHeader, respond, type ResponsePlan } from './response';
import { ResponseField } from './response-fields';

class ThingDto {
  @ResponseField('id') _id!: string;
  @ResponseField() name!: string;
}

const [one, two] = ['one', 'two'].map((name, revision) => ({ _id: new Types.ObjectId(), name, revision, hidden: 1 }));
const shown = (record = one!): object => ({ _id: record._id.toHexString(), name: record.name });

/** What a client gets that asks for /base/things, where the handler's `@Returns` is this. */
async function responseTo(
  plan: Omit<ResponsePlan, 'dto'>,
  result: object,
  headers: Record<string, string> = {},
  content: Paging = { skip: 0 },
): Promise<LightMyRequestResponse> {
  const fastify = Fastify();
  fastify.get('/base/things', (request, reply) => {
    request.query = { content };
    void reply.send(respond({ dto: ThingDto, ...plan }, result, reply, '/base'));
  });
  return fastify.inject({ url: '/base/things?q=x', headers });
}

const given = (...names: string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, '"x"']));
let etag: string;
beforeEach(() => (etag = etagOf(one!)));

describe('the response to a GET of a record', () => {
  it('has the fields of its DTO, and its ETag', async () => {
    const response = await responseTo({ kind: 'one' }, one!);
    expect([response.statusCode, response.json()]).toEqual([200, shown()]);
    expect(response.headers).toMatchObject({ etag });
    expect(response.headers).not.toHaveProperty('location');
  });

  it('has a hash of its body as its ETag where that is not all of a stored record', async () => {
    const { headers } = await responseTo({ kind: 'one' }, { ...one, revision: undefined });
    expect(headers.etag).toBe(etagOfBody(shown()));
  });

  it('is 304 without a body where If-None-Match has the ETag', async () => {
    const response = await responseTo({ kind: 'one' }, one!, { 'if-none-match': etag });
    expect(response).toMatchObject({ statusCode: 304, body: '', headers: { etag } });
    expect((await responseTo({ kind: 'one' }, one!, given('if-none-match'))).statusCode).toBe(200);
  });

  it('is 412 without the ETag where If-Match has another one', async () => {
    const response = await responseTo({ kind: 'one' }, one!, given('if-match'));
    expect(response.statusCode).toBe(412);
    expect(response.headers).not.toHaveProperty('etag');
    expect((await responseTo({ kind: 'one' }, one!, { 'if-match': etag })).statusCode).toBe(200);
  });

  it('has no ETag where it must not be stored, and ignores preconditions', async () => {
    const response = await responseTo({ kind: 'one', noStore: true }, one!, {
      'if-none-match': '*',
      'if-match': '"x"',
    });
    expect([response.statusCode, response.json()]).toEqual([200, shown()]);
    expect(response.headers).not.toHaveProperty('etag');
  });
});

describe.each(['created', 'updated'] as const)('the response that shows what was %s', (kind) => {
  it('has the record with its ETag, whatever the preconditions are', async () => {
    for (const headers of [{}, given('if-match'), { 'if-none-match': '*' }]) {
      const response = await responseTo({ kind }, one!, headers);
      expect([response.statusCode, response.json()]).toEqual([200, { status: 'success', data: shown() }]);
      expect(response.headers).toMatchObject({ etag });
    }
  });

  it.each([
    ['the path of the request, without its query', undefined, '/base/things'],
    ['another path', '/others', '/base/others'],
    ['none', false, undefined],
  ] as const)('has a Location only where it was created: %s', async (_what, location, path) => {
    const { headers } = await responseTo({ kind, location }, one!);
    const expected = kind === 'created' && path ? `${path}/${one!._id.toHexString()}` : undefined;
    expect(headers.location).toBe(expected);
  });
});

describe('the response to a GET of a list', () => {
  const page: Page<object> = { records: [one!, two!], hasMore: false };
  const list = (found: Page<object> = page, headers?: Record<string, string>, paging?: Paging) =>
    responseTo({ kind: 'list' }, found, headers, paging);

  it('has the records in their order, as JSON, without a Link or a total where there is none', async () => {
    const { statusCode, headers, body } = await list();
    expect([statusCode, body]).toEqual([200, JSON.stringify({ status: 'success', data: [shown(), shown(two)] })]);
    expect(headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8' });
    for (const name of ['link', 'x-total-count']) expect(headers).not.toHaveProperty(name);
  });

  it('has the Link of its pages, and the total that was asked for, also 0', async () => {
    const { headers } = await list({ ...page, hasMore: true, total: 0 }, {}, { skip: 4, limit: 2 });
    const [next, prev] = [6, 2].map((skip) => `</base/things?q=x&skip=${skip}>`);
    expect(headers).toMatchObject({ link: `${next}; rel="next", ${prev}; rel="prev"`, 'x-total-count': '0' });
  });

  it('is 304 with the headers of the page where If-None-Match has its ETag, which depends on all of them', async () => {
    const full = { ...page, hasMore: true, total: 3 };
    const { headers } = await list(full);
    const { etag: known, link } = headers as Record<string, string>;
    const again = await list(full, { 'if-none-match': known! });
    expect(again).toMatchObject({ statusCode: 304, body: '', headers: { etag: known, link, 'x-total-count': '3' } });
    const others = [
      { ...full, total: 4 },
      { ...full, hasMore: false },
      { ...full, records: [one!, one!] },
    ];
    for (const other of others) expect((await list(other, { 'if-none-match': known! })).statusCode).toBe(200);
  });

  it('has no ETag where it must not be stored', async () => {
    const response = await responseTo({ kind: 'list', noStore: true }, page, { 'if-none-match': '*' });
    expect([response.statusCode, response.json()]).toEqual([200, { status: 'success', data: [shown(), shown(two)] }]);
    expect(response.headers).not.toHaveProperty('etag');
  });
});

describe('the Link header', () => {
  const lastId = '65f5f0a2c3d4e5f60718293a';
  const records = Array.from({ length: 10 });
  const target = '/base/users?skip=50&q=a%20%3E%22%C3%A9';
  const others = '/base/users?q=a+%3E%22%C3%A9';
  const prev = `<${others}&skip=40>; rel="prev"`;

  test.each([
    ['continues after the last record', { records, hasMore: true, lastId }, `after=${lastId}`],
    ['continues by skip where a list takes no after', { records, hasMore: true }, 'skip=60'],
  ])('keeps the path and the other parameters, encoded, and %s', (_title, page, next) => {
    expect(linkHeader(target, { skip: 50, limit: 10 }, page)).toBe(`<${others}&${next}>; rel="next", ${prev}`);
  });

  test.each<[string, string, Paging, number, string | undefined]>([
    ['replaces the after of the request', '/a?after=x&limit=5', { skip: 0, limit: 5 }, 5, '</a?limit=5&after=y>'],
    ['has no prev on the first page', '/a?skip=0', { skip: 0 }, 0, undefined],
    ['has no prev on an empty page', '/a?skip=3', { skip: 3 }, 0, undefined],
    ['shortens the previous page where fewer come before', '/a', { skip: 3, limit: 5 }, 1, '</a?skip=0&limit=3>'],
    ['has 100 as the size of a page without one', '/a', { skip: 150 }, 1, '</a?skip=50&limit=100>'],
  ])('%s', (_title, url, paging, length, expected) => {
    const found = linkHeader(url, paging, { records: Array.from({ length }), hasMore: length === 5, lastId: 'y' });
    expect(found?.replace(/; rel="\w+"/, '')).toBe(expected);
  });
});
