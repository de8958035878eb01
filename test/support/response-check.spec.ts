import { ResponseCheck } from './response-check';
import type { ApiResponse, ClientRequest } from './client';
import { OpenApiCheck } from './openapi-check';

const GET: ClientRequest = { method: 'GET', path: '/things/1' };
const POST: ClientRequest = { method: 'POST', path: '/things' };
const LOGIN: ClientRequest = { method: 'POST', path: '/sessions', payload: { password: 'a secret password' } };

/** The responses here are made up: no document describes them. */
const UNDOCUMENTED = { differences: (): string[] => [] };

const headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'private, no-cache',
  'content-security-policy': "default-src 'none'",
  'x-content-type-options': 'nosniff',
  'x-request-id': '3f0d8f1e-7f0e-4a37-9a57-0c7c1a2b3c4d',
};

function response(status: number, body?: unknown, more: ApiResponse['headers'] = {}): ApiResponse {
  const text = body === undefined ? '' : JSON.stringify(body);
  return { status, headers: { ...headers, ...more }, body, text, bytes: Buffer.from(text) };
}

const fail = (code: number, message: unknown = 'why'): object => ({ status: 'fail', message, code });
const invalid = (code: number): ApiResponse =>
  response(400, fail(1024, [{ code, title: 'name', detail: 'is required' }]));

describe('The check of every response', () => {
  it.each([
    ['an error', GET, response(404, fail(1234))],
    ['field errors', GET, invalid(5001)],
    ['a page', GET, response(200, { status: 'success', data: [] })],
    ['no body', { method: 'DELETE', path: '/organizations/1' }, response(204)],
  ] as const)('lets %s pass, also after a base path', (_, request, given) => {
    const path = `/base${request.path}`;
    expect(() => new ResponseCheck('/base', UNDOCUMENTED).received({ ...request, path }, given)).not.toThrow();
  });

  it.each([
    ['a missing request id', GET, response(200, {}, { 'x-request-id': undefined }), 'X-Request-Id'],
    ['a missing policy', GET, response(200, {}, { 'content-security-policy': undefined }), 'Content-Security-Policy'],
    ['sniffing', GET, response(200, {}, { 'x-content-type-options': undefined }), 'nosniff'],
    ['public caching', GET, response(200, {}, { 'cache-control': 'public' }), 'Cache-Control'],
    ['tokens that may be kept', LOGIN, response(401, fail(1103), { 'www-authenticate': 'Bearer' }), 'Cache-Control'],
    ['the name of software', GET, response(200, {}, { server: 'x' }), 'software'],
    ['a redirect', GET, response(302, {}), 'redirects'],
    ['a 401 without a challenge', GET, response(401, fail(1100)), 'WWW-Authenticate'],
    ['a 405 without Allow', GET, response(405, fail(1400)), 'Allow'],
    ['a 503 without Retry-After', GET, response(503, fail(1901)), 'Retry-After'],
    ['another media type', GET, response(404, fail(1234), { 'content-type': 'text/html' }), 'JSON in UTF-8'],
    ['another wrapper', GET, response(404, { message: 'no' }), 'an error has exactly'],
    ['an error of 20 KiB', GET, response(404, fail(1234, 'x'.repeat(20_000))), '16 KiB'],
    ['an unknown field error', GET, invalid(1), 'no code of a field error'],
    ['another location', POST, response(201, { data: { _id: '1' } }, { location: '/2' }), 'names the new record'],
    ['a body of 204', GET, response(204, {}), 'no body'],
    ['a hash', GET, response(200, { name: '$argon2id$v=19' }), 'hash'],
    ['a stored field', GET, response(200, { owner: { revision: 0 } }), 'it shows revision'],
    ['an access token', GET, response(200, { name: 'eyJhbGciOi.eyJzdWIi.sig' }), 'access token'],
  ] as const)('finds %s', (_, request, given, reason) => {
    expect(() => new ResponseCheck('', UNDOCUMENTED).received(request, given)).toThrow(reason);
  });

  it('finds secrets of earlier requests and responses', () => {
    const check = new ResponseCheck('', UNDOCUMENTED);
    check.sent(LOGIN);
    const data = { accessToken: 'eyJa.b.c', tokenType: 'Bearer', expiresIn: 900, refreshToken: 'the refresh token' };
    const given = response(201, { status: 'success', data }, { 'cache-control': 'no-store' });
    check.received({ method: 'POST', path: '/tokens' }, given);
    for (const name of ['a secret password', 'the refresh token'])
      expect(() => check.received(GET, response(200, { name }))).toThrow('it holds a password or a refresh token');
  });
});

describe('The comparison with the OpenAPI document', () => {
  const Thing = { type: 'object', required: ['_id'], properties: { _id: { type: 'string' } } };
  const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
  const found = {
    headers: { ETag: { required: true, schema: { type: 'string', pattern: '^"' } } },
    ...json({ $ref: '#/components/schemas/Thing' }),
  };
  const [Missing, Error] = ['`1234` Gone.', '`1100` Log in.'].map((description) => ({
    description,
    ...json({ required: ['code'] }),
  })) as [object, object];
  const missing = { $ref: '#/components/responses/Missing' };
  const get = { responses: { 200: found, 404: missing, default: { $ref: '#/components/responses/Error' } } };
  const check = new OpenApiCheck({
    paths: { '/things/{id}': { get, delete: { responses: { 204: {} } } } },
    components: { schemas: { Thing }, responses: { Missing, Error } },
  } as ConstructorParameters<typeof OpenApiCheck>[0]);
  const compared = (method: 'GET' | 'DELETE' | 'PUT', given: ApiResponse): string[] => [
    ...check.differences(method, '/things/1', given),
  ];

  it('finds nothing where all is as documented', () => {
    expect(compared('GET', response(200, { _id: '1' }, { etag: '"1"' }))).toEqual([]);
    expect(compared('GET', response(404, fail(1234)))).toEqual([]);
    expect(compared('GET', response(401, fail(1100)))).toEqual([]);
    expect(compared('DELETE', response(204))).toEqual([]);
    expect(compared('PUT', response(405, fail(1400)))).toEqual([]);
  });

  it('finds a path that is not documented', () => {
    expect([...check.differences('GET', '/others', response(200, {}))]).toEqual(['openapi.json has no such path']);
    expect([...check.differences('GET', '/others', response(404, fail(1301)))]).toEqual([]);
  });

  it.each([
    ['a status', 'DELETE', response(403), 'lists no 403'],
    ['a code', 'GET', response(404, fail(1302)), 'lists no code 1302'],
    ['an unlisted error', 'GET', response(403, fail(1200)), 'lists no code 1200'],
    ['an unknown field', 'GET', response(200, { _id: '1', hidden: 1 }, { etag: '"1"' }), 'must NOT have additional'],
    ['a body', 'GET', response(200, { _id: 1 }, { etag: '"1"' }), 'body/_id must be string'],
    ['an error', 'GET', response(404, {}), "required property 'code'"],
    ['a missing header', 'GET', response(200, { _id: '1' }), 'ETag is not there'],
    ['a wrong header', 'GET', response(200, { _id: '1' }, { etag: 'W/"1"' }), 'header ETag: body must match pattern'],
    ['an undocumented header', 'DELETE', response(204, undefined, { location: '/' }), 'no header location'],
    ['an undocumented body', 'DELETE', response(204, {}), 'no body'],
    ['an operation', 'PUT', response(200, {}), 'no such operation'],
    ['a media type', 'GET', response(200, {}, { 'content-type': 'text/html', etag: '"1"' }), 'no text/html'],
  ] as const)('finds %s', (_, method, given, reason) => {
    expect(compared(method, given).join('\n')).toContain(reason);
  });
});
