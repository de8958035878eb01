import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { RosterClient } from '@roster/client';
import { errorOf, failure, Stub, success } from './stub.ts';

const stub = new Stub();
const ID = '65f5f0a2c3d4e5f60718293c';
const params = { path: { id: ID } };

describe('a call', () => {
  it('returns the record, its ETag and the response', async () => {
    stub.respond = () => ({ headers: { ETag: '"4"' }, body: { _id: ID, name: 'Nets' } });
    const { data, etag, response } = await new RosterClient(stub).get('/organizations/{id}', { params });
    assert.deepEqual([data.name, etag, response.status], ['Nets', '"4"', 200]);
    assert.deepEqual(stub.requests, [`GET /organizations/${ID}`]);
  });

  it('unwraps what POST returns, and sends JSON', async () => {
    stub.respond = () => success({ _id: ID });
    const body = { name: 'Nets', url: 'https://nets.example' };
    const { data } = await new RosterClient(stub).post('/organizations', { body });
    assert.equal(data._id, ID);
    assert.deepEqual(JSON.parse(stub.received[0]!.body), body);
  });

  it('is checked by the compiler', () => {
    const roster = new RosterClient(stub);
    const body = { name: 'Nets', url: 'https://nets.example' };
    const calls = [
      // @ts-expect-error: there is no such path
      () => roster.get('/nets'),
      // @ts-expect-error: the id is missing
      () => roster.get('/organizations/{id}'),
      // @ts-expect-error: there is no such field
      () => roster.post('/organizations', { body: { ...body, colour: 'red' } }),
      // @ts-expect-error: the body is missing
      () => roster.put('/organizations/{id}', { params }),
      // @ts-expect-error: the response has no such field
      async () => (await roster.get('/organizations/{id}', { params })).data.colour,
      // @ts-expect-error: nor have the records of the list
      async () => (await roster.get('/organizations/{id}/apis', { params })).data[0]?.colour,
      // @ts-expect-error: there is no such parameter
      () => roster.list('/organizations', { params: { query: { colour: 'red' } } }),
      // @ts-expect-error: not a list
      () => roster.list('/organizations/{id}', { params }),
    ];
    assert.equal(calls.length, 8);
  });

  it('sends If-Match, and has no data after DELETE', async () => {
    stub.respond = () => ({ status: 204 });
    const header = { 'If-Match': '"4"' };
    const { data } = await new RosterClient(stub).delete('/apis/{id}', { params: { ...params, header } });
    assert.equal(data, undefined);
    assert.equal(stub.received[0]!.headers['if-match'], '"4"');
  });

  it('updates a record without an ETag only if it says so', async () => {
    stub.respond = () => success({ _id: ID });
    const roster = new RosterClient(stub);
    const body = { name: 'Nets', url: 'https://nets.example' };
    const put = (header: object) =>
      roster.put('/organizations/{id}', { params: { ...params, header: header as { 'If-Match': string } }, body });
    const lost = { name: 'TypeError', message: /^PUT \/organizations\/\{id\}: If-Match is missing/ };
    for (const header of [{}, { 'If-Match': undefined }, { 'If-Match': '' }]) await assert.rejects(put(header), lost);
    const header = { 'If-Match': undefined as never };
    await assert.rejects(roster.delete('/organizations/{id}', { params: { ...params, header } }), {
      name: 'TypeError',
    });
    assert.deepEqual(stub.requests, []);
    await put({ 'If-Match': '*' });
    assert.equal(stub.received[0]!.headers['if-match'], '*');
  });

  it('knows which responses have an ETag', () => {
    const roster = new RosterClient(stub);
    const calls = [
      async (): Promise<string> => (await roster.get('/organizations/{id}', { params })).etag,
      async (): Promise<string> => (await roster.upload(new Blob([]), 'logo.png')).etag,
      async (): Promise<undefined> => (await roster.get('/sessions')).etag,
      async (): Promise<undefined> => (await roster.get('/sessions/{id}', { params })).etag,
      // @ts-expect-error: a PUT has an If-Match
      () => roster.put('/organizations/{id}', { params, body: { name: 'Nets', url: 'https://nets.example' } }),
    ];
    assert.equal(calls.length, 5);
  });

  it('uploads an image, and reads it', async () => {
    stub.respond = ({ method }) => (method === 'POST' ? success({ _id: ID }) : { body: 'bytes' });
    const roster = new RosterClient(stub);
    assert.equal((await roster.upload(new Blob(['bytes']), 'logo.png')).data._id, ID);
    assert.match(stub.received[0]!.headers['content-type']!, /^multipart\/form-data; boundary=/);
    assert.match(stub.received[0]!.body, /name="file"; filename="logo.png"[^]*bytes/);
    const { data } = await roster.get('/files/{id}', { params, parseAs: 'blob' });
    assert.equal(await data.text(), 'bytes');
  });
});

describe('a list', () => {
  it('follows the Link header to the last page, and keeps its parameters', async () => {
    stub.respond = ({ path }) => {
      if (path?.includes('after')) return success([{ name: 'c' }]);
      const next = `</base/organizations?q=x+y&limit=2&after=${ID}>; rel="next"`;
      return { ...success([{ name: 'a' }, { name: 'b' }]), headers: { Link: next } };
    };
    const pages: string[][] = [];
    const query = { q: 'x y', limit: 2 };
    for await (const page of new RosterClient(stub).pages('/organizations', { params: { query } }))
      pages.push(page.map(({ name }) => name));
    assert.deepEqual(pages, [['a', 'b'], ['c']]);
    const urls = stub.received.map(({ path }) => new URL(path!, 'http://stub').searchParams);
    assert.deepEqual(Object.fromEntries(urls[1]!), { q: 'x y', limit: '2', after: ID });
  });

  it('asks for the next page only when it is needed', async () => {
    const Link = `</base/organizations/${ID}/managers?skip=1&limit=1>; rel="next"`;
    stub.respond = () => ({ ...success([{ username: 'ada' }]), headers: { Link } });
    for await (const { username } of new RosterClient(stub).list('/organizations/{id}/managers', { params })) {
      assert.equal(username, 'ada');
      break;
    }
    assert.deepEqual(stub.requests, [`GET /organizations/${ID}/managers`]);
  });
});

describe('an error', () => {
  it('has the code, the status and the request id', async () => {
    stub.respond = () => ({ ...failure(409, 1501, 'Taken.'), headers: { 'X-Request-Id': 'r-1' } });
    const error = await errorOf(new RosterClient(stub).get('/sessions'));
    assert.deepEqual([error.status, error.code, error.message, error.requestId], [409, 1501, 'Taken.', 'r-1']);
    assert.deepEqual(error.fieldErrors, []);
  });

  it('has the field errors, also in its message', async () => {
    const fields = [
      { title: 'name', code: 5001, detail: 'is required' },
      { title: 'url', code: 5001, detail: 'is required' },
    ];
    stub.respond = () => failure(400, 1024, fields);
    const error = await errorOf(new RosterClient(stub).get('/sessions'));
    assert.deepEqual(error.fieldErrors, fields);
    assert.equal(error.message, 'name is required; url is required');
  });

  it('says when to try again', async () => {
    stub.respond = () => ({ ...failure(429, 1700), headers: { 'Retry-After': '7' } });
    assert.equal((await errorOf(new RosterClient({ ...stub, retries: 0 }).get('/sessions'))).retryAfter, 7);
  });

  it('says when to try again, also if a proxy names the time', async ({ mock }) => {
    mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) });
    const times = { 'Thu, 01 Jan 2026 00:01:30 GMT': 90, 'Wed, 31 Dec 2025 00:00:00 GMT': undefined, soon: undefined };
    for (const [time, seconds] of Object.entries(times)) {
      stub.respond = () => ({ status: 503, headers: { 'Retry-After': time } });
      assert.equal((await errorOf(new RosterClient({ ...stub, retries: 0 }).get('/sessions'))).retryAfter, seconds);
    }
  });

  it('has no code if it comes from a proxy', async () => {
    stub.respond = () => ({ status: 502, body: '<h1>Bad Gateway</h1>' });
    const error = await errorOf(new RosterClient(stub).get('/sessions'));
    assert.deepEqual([error.status, error.code, error.message], [502, undefined, 'The response is 502.']);
  });

  it('is thrown for a record that has not changed', async () => {
    stub.respond = () => ({ status: 304 });
    const header = { 'If-None-Match': '"4"' };
    const call = new RosterClient(stub).get('/apis/{id}', { params: { ...params, header } });
    assert.equal((await errorOf(call)).status, 304);
  });
});

/** Ends the waits of these tests immediately; fetch has timers of its own. Returns how many there were. */
function withoutWaiting(mock: TestContext['mock']): () => number {
  const { setTimeout } = globalThis;
  let count = 0;
  mock.method(globalThis, 'setTimeout', (work: () => void, milliseconds: number) => {
    if (![1000, 120_000].includes(milliseconds)) return setTimeout(work, milliseconds);
    count += 1;
    return setTimeout(work, 0);
  });
  return () => count;
}

describe('a request that is refused for now', () => {
  const body = { name: 'Nets', url: 'https://nets.example' };
  const get = (roster: RosterClient): Promise<unknown> => roster.get('/sessions');
  const post = (roster: RosterClient): Promise<unknown> => roster.post('/organizations', { body });
  const later = { 'Retry-After': '1' };

  for (const [what, call, refusal, times] of [
    ['a GET after 429', get, { ...failure(429, 1700), headers: later }, 2],
    ['a GET after 503', get, { ...failure(503, 1901), headers: later }, 2],
    ['a POST after 429', post, { ...failure(429, 1700), headers: later }, 2],
    ['a POST after 503 if nothing was done', post, { ...failure(503, 1903), headers: later }, 2],
    ['a POST while the identity provider is out of reach', post, { ...failure(503, 1904), headers: later }, 2],
    ['a POST during maintenance', post, { ...failure(503, 1902), headers: { 'Retry-After': '120' } }, 2],
    ['no POST after 503 that may have been stored', post, { ...failure(503, 1901), headers: later }, 1],
    ['nothing without Retry-After', get, failure(503, 1901), 1],
    [
      'nothing that must wait for more than two minutes',
      get,
      { ...failure(429, 1700), headers: { 'Retry-After': '121' } },
      1,
    ],
  ] as const) {
    it(`is sent again when Retry-After says: ${what}`, async ({ mock }) => {
      const waited = withoutWaiting(mock);
      let count = 0;
      stub.respond = () => (++count === 1 ? refusal : success([]));
      await call(new RosterClient(stub)).catch(() => undefined);
      assert.equal(stub.received.length, times);
      assert.equal(waited(), times - 1);
      assert.equal(new Set(stub.received.map((one) => one.body)).size, 1);
    });
  }

  it('is sent three times, then the error is thrown', async ({ mock }) => {
    withoutWaiting(mock);
    stub.respond = () => ({ ...failure(503, 1902), headers: later });
    assert.equal((await errorOf(new RosterClient(stub).get('/sessions'))).code, 1902);
    assert.equal(stub.received.length, 3);
  });
});
