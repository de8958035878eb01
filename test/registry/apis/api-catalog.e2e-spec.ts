import { Types } from 'mongoose';
import type { Response } from 'light-my-request';
import { type Api, ApiSchema } from '../../../src/registry/apis/api.schema';
import { newRecord } from '../../../src/platform/records/derived-fields';
import { startService, useService } from '../../support/service';

const PATH = '/.well-known/api-catalog';

/** The first API of the example of RFC 9727 §A.1. */
const API = {
  url: 'https://developer.example.com/apis/foo_api',
  definitionUrl: 'https://developer.example.com/apis/foo_api/spec',
  documentationUrl: 'https://developer.example.com/apis/foo_api/doc',
};

const service = useService({
  API_CATALOG: 'public',
  BASE_PATH: '/registry',
  RATE_LIMIT_PER_MINUTE: '50',
});
afterEach(() => jest.restoreAllMocks());

/** Stores APIs, and lets the catalog forget what it remembers. */
async function store(...apis: object[]): Promise<void> {
  await service.connection.collection('apis').deleteMany({});
  const records = apis.map((fields, index) => {
    const ids = { organizationId: new Types.ObjectId(), createdBy: new Types.ObjectId() };
    const slug = { text: `nets-${index}`, base: 'nets', index };
    return newRecord<Api>(ApiSchema, { name: 'Nets', isPublic: true, slug, slugs: [slug], ...ids, ...fields });
  });
  await service.connection.collection('apis').insertMany(records);
  pass(60_001);
}

let now = Date.now();
function pass(milliseconds: number): void {
  now += milliseconds;
  jest.spyOn(Date, 'now').mockReturnValue(now);
}

const read = (url = PATH, method: 'GET' | 'HEAD' = 'GET', remoteAddress = '10.0.0.1'): Promise<Response> =>
  service.app.inject({ method, url, remoteAddress });
const linksetOf = async (url = PATH): Promise<unknown[]> => (await read(url)).json<{ linkset: unknown[] }>().linkset;
const anchors = (urls: string[]): object[] => urls.map((anchor) => ({ anchor }));

it('shows the public APIs that have a URL as a linkset, to callers without login', async () => {
  const planned = { ...API, url: null };
  await store(API, { url: 'https://plain.example' }, { url: 'https://private.example', isPublic: false }, planned);
  const { statusCode, headers, json } = await read();
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    'cache-control': 'public, max-age=60',
    link: `<${PATH}>; rel="api-catalog"`,
  });
  const { url: anchor, definitionUrl, documentationUrl } = API;
  const described = { anchor, 'service-desc': [{ href: definitionUrl }], 'service-doc': [{ href: documentationUrl }] };
  expect(json()).toEqual({ linkset: [described, { anchor: 'https://plain.example' }] });
  const head = await read(PATH, 'HEAD');
  expect([head.statusCode, head.headers.link, head.payload]).toEqual([200, headers.link, '']);
});

it('has pages of 1,000', async () => {
  const urls = Array.from({ length: 1001 }, (_, number) => `https://${number}.example`);
  await store(...urls.map((url) => ({ url })));
  const { headers, json } = await read();
  expect(json()).toEqual({ linkset: anchors(urls.slice(0, 1000)) });
  const next = /<([^>]+)>; rel="next"$/.exec(String(headers.link))![1]!;
  expect(await linksetOf(next)).toEqual(anchors(urls.slice(1000)));
  expect((await read(next)).headers.link).not.toContain('next');
});

it('reads at most 101 APIs at a time, which fit in one reply of the database, whatever their texts', async () => {
  await store(...Array.from({ length: 250 }, (_, number) => ({ url: `https://${number}.example` })));
  const command = jest.spyOn(service.connection.db!, 'command');
  expect(await linksetOf()).toHaveLength(250);
  const limits = command.mock.calls.flatMap(([{ find, limit }]) => (find === 'apis' ? [limit as number] : []));
  expect(limits).toEqual([101, 101, 101]);
});

it('is remembered for 60 s', async () => {
  await store({ url: 'https://a.example' });
  await read();
  await service.connection.collection('apis').deleteMany({});
  pass(59_000);
  expect((await read()).headers['cache-control']).toBe('public, max-age=1');
  expect(await linksetOf()).toEqual(anchors(['https://a.example']));
  pass(1000);
  expect(await linksetOf()).toEqual([]);
});

it.each([
  [`/registry${PATH}`, 404],
  [`${PATH}?after=x`, 400],
  [`${PATH}?limit=5`, 400],
])('refuses GET %s: %i', async (url, status) => expect((await read(url)).statusCode).toBe(status));

it('counts for the limit of the address', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 51; count++) statuses.push((await read(PATH, 'GET', '10.0.0.2')).statusCode);
  expect(statuses).toEqual([...Array<number>(50).fill(200), 429]);
});

it('has a metric with its whole path', async () => {
  await read();
  expect((await service.app.inject('/registry/metrics')).body).toContain(`route="${PATH}"`);
});

it.each([
  [{}, 404],
  [{ API_CATALOG: 'public', MAINTENANCE: 'on' }, 503],
] as const)('with %j it is %i', async (env, status) => {
  const other = await startService(env);
  expect((await other.app.inject(PATH)).statusCode).toBe(status);
  await other.stop();
});
