import { Types } from 'mongoose';
import type { Response } from 'light-my-request';
import { SigningKeys } from '../../../src/platform/http/access/signing-keys';
import { connectionOptions, timeLimits } from '../../../src/platform/records/connection/connection-options';
import { type Api, ApiSchema } from '../../../src/registry/apis/api.schema';
import { ApiCatalogCursors } from '../../../src/registry/apis/api-catalog-cursors';
import { Records } from '../../../src/platform/records/records';
import { newRecord } from '../../../src/platform/records/derived-fields';
import { isServed, readsOf } from '../../support/reads';
import { JWT_SECRET, startService, useService } from '../../support/service';
import { until } from '../../support/until';

connectionOptions.monitorCommands = true;

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
    const required = { name: 'Nets', isPublic: true, lifecycleStatus: 'production', slug, slugs: [slug] };
    return newRecord<Api>(ApiSchema, { ...required, ...ids, ...fields });
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
/** The path of the page after an end that some instance has signed. */
const pageAfter = (id: Types.ObjectId, secret = JWT_SECRET): string =>
  `${PATH}?after=${new ApiCatalogCursors(new SigningKeys([secret])).sign(String(id))}`;
const nextOf = ({ headers }: Response): string => /<([^>]+)>; rel="next"$/.exec(String(headers.link))![1]!;
const many = (count: number): object[] =>
  Array.from({ length: count }, (_, number) => ({ url: `https://${number}.example` }));
/** The linkset of APIs of which the catalog knows no more than their URLs. */
const listed = (urls: string[]): object[] => [{ anchor: PATH, item: urls.map((href) => ({ href, title: 'Nets' })) }];

it('shows the public APIs that can be called as a linkset, to callers without login', async () => {
  const [planned, designed] = [
    { ...API, url: null },
    { ...API, lifecycleStatus: 'design' },
  ];
  const secret = { ...API, url: 'https://private.example', isPublic: false };
  await store(API, { name: 'Plain', url: 'https://plain.example' }, secret, planned, designed);
  const { statusCode, headers, json } = await read();
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    'cache-control': 'public, max-age=60',
    link: `<${PATH}>; rel="api-catalog"`,
  });
  const { url: anchor, definitionUrl, documentationUrl } = API;
  const described = { anchor, 'service-desc': [{ href: definitionUrl }], 'service-doc': [{ href: documentationUrl }] };
  const item = [
    { href: anchor, title: 'Nets' },
    { href: 'https://plain.example', title: 'Plain' },
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

it('has pages of 1,000', async () => {
  const urls = Array.from({ length: 1001 }, (_, number) => `https://${number}.example`);
  await store(...urls.map((url) => ({ url })));
  expect(await linksetOf()).toEqual(listed(urls.slice(0, 1000)));
  const next = nextOf(await read());
  expect(await linksetOf(next)).toEqual(listed(urls.slice(1000)));
  expect((await read(next)).headers.link).not.toContain('next');

  const other = await startService({ API_CATALOG: 'public', MONGODB_URI: service.databaseUri });
  const { statusCode } = await other.app.inject(next);
  await other.stop();
  expect({ statusCode }).toEqual({ statusCode: 200 });
});

it('takes no end of a page that was not given out', async () => {
  const id = new Types.ObjectId();
  const [, signed = ''] = pageAfter(id).split('=');
  const [, signature = ''] = signed.split('.');
  const forged = ['', 'x', String(id), `${String(id)}.`, `${String(id)}.x`];
  forged.push(`${String(new Types.ObjectId())}.${signature}`);
  forged.push(signed.toUpperCase(), `${signed}=`, signed.slice(0, -1), `${signed}.${signature}`, `.${signature}`);
  forged.push(pageAfter(id, 'another secret of at least thirty-two bytes').split('=')[1]!);
  for (const end of forged) {
    const { statusCode, json } = await read(`${PATH}?after=${encodeURIComponent(end)}`);
    expect({ end, statusCode, ...json<object>() }).toMatchObject({ end, statusCode: 400, code: 1002 });
  }
  expect((await read(`${PATH}?after=${signed}`)).statusCode).toBe(200);
});

it('finds a page by the index of public APIs', async () => {
  await store(...many(250), ...many(50).map((api) => ({ ...api, isPublic: false })));
  const reads = await readsOf(service, 'apis', () => read());
  expect(reads.length).toBeGreaterThan(0);
  for (const one of reads) {
    expect(await isServed(service, one)).toBe(true);
    const { find, filter, sort } = one.command;
    const plan = await service.connection.db!.command({ explain: { find, filter, sort }, verbosity: 'queryPlanner' });
    expect(JSON.stringify(plan)).toContain('"keyPattern":{"isPublic":1,"_id":1}');
  }
});

describe('many callers', () => {
  /** Lets reads of APIs wait until the test lets them go on. */
  function hold(): { readonly begun: () => number; readonly release: () => void } {
    const db = service.connection.db!;
    const command = db.command.bind(db);
    const { promise, resolve } = Promise.withResolvers<void>();
    let begun = 0;
    jest.spyOn(db, 'command').mockImplementation(async (sent, options) => {
      if (sent.find !== 'apis') return command(sent, options);
      begun += 1;
      await promise;
      return command(sent, options);
    });
    return { begun: () => begun, release: resolve };
  }
  const statusesOf = async (responses: Promise<Response>[]): Promise<number[]> =>
    (await Promise.all(responses)).map(({ statusCode }) => statusCode);

  it('who ask for one page share a read', async () => {
    await store(...many(3));
    const parts = jest.spyOn(Records.prototype, 'page');
    await statusesOf(Array.from({ length: 8 }, (_, number) => read(PATH, 'GET', `10.0.1.${number}`)));
    expect(parts).toHaveBeenCalledTimes(1);
  });

  it('who ask for different pages wait for each other, at most ten of them, and hold up no account', async () => {
    await store(...many(3));
    const pages = hold();
    const account = await service.account();
    const ids = Array.from({ length: 12 }, () => new Types.ObjectId());
    const all = ids.map((id) => read(pageAfter(id), 'GET', '10.0.2.1'));
    // The one that is refused is the first to end.
    expectRefusal(await Promise.race(all));
    await until(() => pages.begun() === 1);
    // Another address has its turn before those of the first.
    const other = read(PATH, 'GET', '10.0.2.2');
    const search = account.get('/registry/organizations?q=nets');
    expect((await search).status).toBe(200);
    expect(pages.begun()).toBe(1);
    pages.release();
    expect((await other).statusCode).toBe(200);
    const statuses = await statusesOf(all);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 503)).toHaveLength(2);
  });

  it('get 503 when the parts of a page take too long together', async () => {
    await store(...many(150));
    const limit = jest.replaceProperty(timeLimits, 'read', 100);
    const data = { failCommands: ['find'], blockConnection: true, blockTimeMS: 200 };
    await service.connection.db!.admin().command({ configureFailPoint: 'failCommand', mode: { times: 1 }, data });
    expectRefusal(await read());
    limit.restore();
    expect((await read()).statusCode).toBe(200);
  });

  function expectRefusal({ statusCode, headers, json }: Response): void {
    expect({ statusCode, code: json<{ code: number }>().code }).toEqual({ statusCode: 503, code: 1903 });
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
});

it('reads at most 101 APIs at a time, which fit in one reply of the database, whatever their texts', async () => {
  await store(...Array.from({ length: 250 }, (_, number) => ({ url: `https://${number}.example` })));
  const command = jest.spyOn(service.connection.db!, 'command');
  expect((await linksetOf())[0]).toMatchObject({ item: { length: 250 } });
  const limits = command.mock.calls.flatMap(([{ find, limit }]) => (find === 'apis' ? [limit as number] : []));
  expect(new Set(limits)).toEqual(new Set([101]));
});

it('is remembered for 60 s', async () => {
  await store({ url: 'https://a.example' });
  await read();
  await service.connection.collection('apis').deleteMany({});
  pass(59_000);
  expect((await read()).headers['cache-control']).toBe('public, max-age=1');
  expect(await linksetOf()).toEqual(listed(['https://a.example']));
  pass(1000);
  expect(await linksetOf()).toEqual(listed([]));
});

it.each([
  [`/registry${PATH}`, 404],
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
