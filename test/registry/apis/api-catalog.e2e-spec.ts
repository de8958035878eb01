import { Types } from 'mongoose';
import type { Response } from 'light-my-request';
import { type Api, ApiSchema } from '../../../src/registry/apis/api.schema';
import { newRecord } from '../../../src/platform/records/schema/derived-fields';
import { startService, useService } from '../../support/service';

const PATH = '/.well-known/api-catalog';

/** The first API of the example of RFC 9727 §A.1. */
const API = {
  url: 'https://developer.example.com/apis/foo_api',
  definitionUrl: 'https://developer.example.com/apis/foo_api/spec',
  documentationUrl: 'https://developer.example.com/apis/foo_api/doc',
};

const service = useService({ API_CATALOG: 'public', BASE_PATH: '/registry' });
afterEach(() => jest.restoreAllMocks());

/** Stores APIs. */
async function store(...apis: object[]): Promise<void> {
  await service.connection.collection('apis').deleteMany({});
  const records = apis.map((fields, index) => {
    const ids = { organizationId: new Types.ObjectId(), createdBy: new Types.ObjectId() };
    const slug = { text: `nets-${index}`, base: 'nets', index };
    const required = { name: 'Nets', isPublic: true, lifecycleStatus: 'production', slug, slugs: [slug] };
    return newRecord<Api>(ApiSchema, { ...required, ...ids, ...fields });
  });
  await service.connection.collection('apis').insertMany(records);
}

const read = (url = PATH, method: 'GET' | 'HEAD' = 'GET'): Promise<Response> => service.app.inject({ method, url });
const linksetOf = async (url = PATH): Promise<unknown[]> => (await read(url)).json<{ linkset: unknown[] }>().linkset;
/** The linkset of APIs of which the catalog knows no more than their URLs. */
const listed = (urls: string[]): object[] => [{ anchor: PATH, item: urls.map((href) => ({ href, title: 'Nets' })) }];
const nextOf = ({ headers }: Response): string => /<([^>]+)>; rel="next"$/.exec(String(headers.link))![1]!;

it('shows the public APIs that can be called as a linkset, to callers without login', async () => {
  const [planned, designed] = [
    { ...API, url: null },
    { ...API, lifecycleStatus: 'design' },
  ];
  const secret = { ...API, url: 'https://private.example', isPublic: false };
  const end = { lifecycleStatus: 'deprecated', sunsetAt: '2027-03-31T00:00+01:00' };
  const again = { ...API, ...end, definitionUrl: 'https://other.example' };
  await store(API, { name: 'Plain', url: 'https://plain.example' }, secret, planned, designed, again);
  const { statusCode, headers, json } = await read();
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    'cache-control': 'public, max-age=60',
    link: `<${PATH}>; rel="api-catalog"`,
  });
  const { url: anchor, definitionUrl, documentationUrl } = API;
  // One context for both APIs with this URL, and each link once.
  const described = {
    anchor,
    'service-desc': [{ href: definitionUrl }, { href: again.definitionUrl }],
    'service-doc': [{ href: documentationUrl }],
  };
  const item = [
    { href: anchor, title: 'Nets' },
    { href: 'https://plain.example', title: 'Plain' },
    { href: anchor, title: 'Nets', deprecated: ['true'], sunset: [end.sunsetAt] },
  ];
  expect(json()).toEqual({ linkset: [{ anchor: PATH, item }, described] });
  const head = await read(PATH, 'HEAD');
  expect([head.statusCode, head.headers.link, head.payload]).toEqual([200, headers.link, '']);
});

it('links to the successor of an API if the catalog has that too', async () => {
  const hidden = { private: { isPublic: false }, designed: { lifecycleStatus: 'design' }, planned: { url: null } };
  const successors = Object.entries({ listed: {}, ...hidden }).map(([name, fields]) => {
    return { _id: new Types.ObjectId(), url: `https://${name}.example`, ...fields };
  });
  const ids = [...successors.map(({ _id }) => _id), new Types.ObjectId()];
  await store(
    ...successors,
    ...ids.map((successorId, index) => ({ url: `https://old-${index}.example`, successorId })),
  );
  const [, ...contexts] = await linksetOf();
  const links = { 'successor-version': [{ href: 'https://listed.example' }] };
  expect(contexts).toEqual([{ anchor: 'https://old-0.example', ...links }]);
});

it('has pages of 100', async () => {
  const urls = Array.from({ length: 101 }, (_, number) => `https://${number}.example`);
  await store(...urls.map((url) => ({ url })));
  expect(await linksetOf()).toEqual(listed(urls.slice(0, 100)));
  const next = nextOf(await read());
  expect(await linksetOf(next)).toEqual(listed(urls.slice(100)));
  expect((await read(next)).headers.link).not.toContain('next');
  for (const after of ['', 'x']) expect((await read(`${PATH}?after=${after}`)).json().code).toBe(1002);
});

it('can be read from any origin, errors too, and nothing else can', async () => {
  const corsOf = async (url: string): Promise<unknown> => {
    const { headers } = await service.app.inject({ url, headers: { origin: 'https://pages.example' } });
    return [headers['access-control-allow-origin'], headers['access-control-expose-headers']];
  };
  const readable = ['*', expect.stringContaining('Link')];
  for (const url of [PATH, `${PATH}?limit=5`]) expect(await corsOf(url)).toEqual(readable);
  for (const url of ['/registry', '/registry/apis', '/nothing'])
    expect(await corsOf(url)).toEqual([undefined, undefined]);
});

it.each([
  [`/registry${PATH}`, 404],
  [`${PATH}?limit=5`, 400],
])('refuses GET %s: %i', async (url, status) => expect((await read(url)).statusCode).toBe(status));

it.each([
  [{}, 404],
  [{ API_CATALOG: 'public', MAINTENANCE: 'on' }, 503],
] as const)('with %j it is %i', async (env, status) => {
  const other = await startService(env);
  expect((await other.app.inject(PATH)).statusCode).toBe(status);
  await other.stop();
});
