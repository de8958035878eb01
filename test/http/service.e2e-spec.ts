import { apiErrors, ErrorName } from '../../src/errors/api-error';
import { watchUnexpected } from '../contract/unexpected';
import { exchange, useRawService } from './raw-client';

/** Would run if an error were shown as a page: no response contains it as it was sent. */
const SCRIPT = '<script>alert(1)</script>';
const NAME = `{"${SCRIPT}":1}`;
const CHUNKED = '4\r\n{}  \r\n0\r\n\r\n';

const expectNothingUnexpected = watchUnexpected();
const server = useRawService();
const { service, asAdmin } = server;
afterAll(expectNothingUnexpected);

describe('requests that HTTP clients do not send get an error, and cause no unexpected one', () => {
  const json = { 'Content-Type': 'application/json' };
  const form = { 'Content-Type': 'multipart/form-data; boundary=x' };
  const gzip = { 'Transfer-Encoding': 'gzip, chunked' };
  const length = (body: string) => ({ 'Content-Length': String(body.length) });

  it.each<[string, ErrorName, Parameters<typeof asAdmin>]>([
    ['a script in a path', 'pathNotFound', ['GET', `/${SCRIPT}`]],
    ['an encoded script in a path', 'pathNotFound', ['GET', `/${encodeURIComponent(SCRIPT)}`]],
    ['a script in a query', 'invalidQuery', ['GET', `/users?${SCRIPT}=1`]],
    ['an encoded script in a query', 'invalidQuery', ['GET', `/users?limit=${encodeURIComponent(SCRIPT)}`]],
    ['a script in a token', 'tokenUnusable', ['GET', '/users', { Authorization: `Bearer ${SCRIPT}` }]],
    ['a script in a field name', 'invalidContent', ['POST', '/users', { ...json, ...length(NAME) }, NAME]],
    ['a compressed body', 'unsupportedMediaType', ['POST', '/sessions', { ...json, ...gzip }, CHUNKED]],
    ['a form compressed for the transfer', 'unsupportedMediaType', ['POST', '/files', { ...form, ...gzip }, CHUNKED]],
  ])('%s: %s', async (_name, name, args) => {
    const response = await exchange(server.port, asAdmin(...args));
    const { status, code } = apiErrors[name];
    expect({ status: response.status, body: response.json() }).toMatchObject({
      status,
      body: { status: 'fail', code },
    });
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.body + JSON.stringify(response.headers)).not.toContain(SCRIPT);
  });
});

it('a list requested with an absolute target links its pages by absolute paths', async () => {
  await service.account();
  const { headers } = await exchange(server.port, asAdmin('GET', 'http://localhost/users?limit=1'));
  expect(headers.link).toBe(`</users?limit=1&after=${service.admin.id}>; rel="next"`);
});
