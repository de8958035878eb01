import * as transliteration from 'transliteration';
import { expectFieldErrors } from '../support/expect-error';
import { meanwhile } from '../support/meanwhile';
import { createOrganization, organizationBody } from '../support/records';
import { useService } from '../support/service';
import { watchUnexpected } from './unexpected';

// Its functions can be spied on in a copy only.
jest.mock('transliteration', () => ({ __esModule: true, ...jest.requireActual<object>('transliteration') }));

const LIMIT = 65_536;
/** The longest text that may be normalized, in UTF-16 units: what a text is worth is checked before that (contract §1.5). */
const MAX_NORMALIZED = 8192;

const expectNothingUnexpected = watchUnexpected();
const service = useService();
afterAll(expectNothingUnexpected);

/** As many times `unit` as fit into a body next to `around` other bytes. */
function filled(unit: string, around = 200): string {
  return unit.repeat(Math.floor((LIMIT - around) / Buffer.byteLength(unit)));
}

const organization = (fields: object): string => JSON.stringify(organizationBody(fields));
const members = (count: number, value: unknown = 1, name = 'm'): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, value])));

/** Length of the longest text that some work normalizes, and the number of names that it transliterates. */
async function costOf<T>(work: () => Promise<T>): Promise<{ response: T; longest: number; transliterated: number }> {
  const lengths: number[] = [0];
  const normalize = String.prototype.normalize;
  const spy = jest.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string, form?: string) {
    lengths.push(this.length);
    return normalize.call(this, form);
  });
  const transliterate = jest.spyOn(transliteration, 'transliterate');
  try {
    const response = await work();
    return { response, longest: Math.max(...lengths), transliterated: transliterate.mock.calls.length };
  } finally {
    spy.mockRestore();
    transliterate.mockRestore();
  }
}

it('a body may begin with a byte order mark, and its media type may have parameters', async () => {
  const type = { 'content-type': 'application/json; version=1; charset=utf8' };
  const marked = `\ufeff${organization({ name: 'Marked' })}`;
  const { status, body } = await service.admin.post('/organizations', marked, type);
  expect([status, body.data?.name]).toEqual([201, 'Marked']);
});

it.each<[string, Buffer, object?]>([
  ['nothing', Buffer.alloc(0)],
  ['nothing without a media type', Buffer.alloc(0), { 'content-type': undefined }],
  ['a byte that is no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['a byte order mark alone', Buffer.from('\ufeff')],
  ['a second byte order mark', Buffer.from('\ufeff\ufeff{}')],
  ['UTF-16', Buffer.from('{}', 'utf16le')],
])('%s is no body', async (_what, bytes, headers = {}) => {
  const { status, body } = await service.admin.post('/organizations', bytes, { ...headers });
  expect([status, body.code]).toEqual([400, 1001]);
});

it('read-only fields may have any value, and names that objects inherit are unknown fields', async () => {
  const readOnly = { _id: { $gt: '' }, createdAt: [], slug: { constructor: 1 } };
  const { status, body } = await service.admin.post('/organizations', organizationBody(readOnly));
  expect([status, body.data?._id]).toEqual([201, expect.stringMatching(/^[0-9a-f]{24}$/)]);
  const names = ['$where', '__proto__', 'constructor', 'prototype', 'toString'];
  const nested = '"name":{"constructor":1},"featuredApiIds":[{"constructor":1}]';
  const sent = `{${names.map((name) => `"${name}":{},`).join('')}${nested}}`;
  expectFieldErrors(
    await service.admin.post('/organizations', sent),
    ['wrongType', 'name'],
    ['wrongType', 'featuredApiIds.0'],
    ...names.map((name) => ['unknownField', name] as const),
  );
});

describe('the worst bodies that fit the limits are refused without costly work (contract §1.5)', () => {
  it.each<[string, number, string, string]>([
    ['brackets to the limit', 1001, '/organizations', filled('[')],
    ['1,000 members, all unknown', 1024, '/organizations', members(1000)],
    ['1,000 members named like what objects inherit', 1024, '/users', members(1000, {}, '__proto__')],
    ['a list of 990 items', 1024, '/organizations', organization({ featuredApiIds: Array(990).fill('a') })],
    ['a text of combining marks', 1024, '/organizations', organization({ name: filled('\u0315\u0300', 400) })],
    ['a text that grows when composed', 1024, '/organizations', organization({ description: filled('\ufb2c', 400) })],
    ['a long name to transliterate', 1024, '/organizations', organization({ name: filled('特', 400) })],
    ['a URL of white space', 1024, '/organizations', organization({ url: `http://${filled('a.', 400)}` })],
    ['an e-mail of at signs', 1024, '/users', JSON.stringify({ email: filled('@.', 400) })],
    ['a long password', 1024, '/users', JSON.stringify({ password: filled('\u0315\u0300', 400) })],
    ['a long refresh token', 1024, '/tokens', JSON.stringify({ refreshToken: filled('x', 400) })],
    ['numbers that are none', 1001, '/organizations', `{"a":1e${filled('9', 300)}x}`],
    ['escapes to the limit', 1024, '/organizations', `{"name":"${filled('\\u0041')}"}`],
    ['white space, exactly to the limit', 1024, '/organizations', `{${filled(' ', 2)}}`],
  ])('%s: %i', async (_name, code, path, payload) => {
    expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(LIMIT);
    const { response, longest, transliterated } = await costOf(() => service.admin.post(path, payload));
    expect({ code: response.body.code, transliterated }).toEqual({ code, transliterated: 0 });
    expect(response.bytes.length).toBeLessThanOrEqual(64 * 1024);
    expect(longest).toBeLessThanOrEqual(MAX_NORMALIZED);
  });
});

it('a value that was valid when it was stored does not keep a PUT from changing other fields (contract §1.5)', async () => {
  const { _id } = await createOrganization(service.admin);
  const old = { contactEmail: '<a@b.example>', url: 'https://a.example/<b>', contactPhone: '-----' };
  await service.model('Organization').updateOne({ _id }, { $set: old });
  const path = `/organizations/${_id}`;
  const { body } = await service.admin.get(path);
  const put = await service.admin.put(path, { ...body, description: 'new' });
  expect({ status: put.status, data: put.body.data }).toMatchObject({
    status: 200,
    data: { ...old, description: 'new' },
  });
  const changed = { ...body, contactEmail: '<a@b.example>;', contactPhone: '1' };
  expectFieldErrors(
    await service.admin.put(path, changed),
    ['badFormat', 'contactEmail'],
    ['tooShort', 'contactPhone'],
  );
  expectFieldErrors(await service.admin.put(path, { ...body, x: 1 }), ['unknownField', 'x']);
  const changeUrl = (): Promise<unknown> =>
    service.model('Organization').updateOne({ _id }, { $set: { url: 'https://a.example' }, $inc: { revision: 1 } });
  const late = await meanwhile(service, 'before the first write', changeUrl, () =>
    service.admin.put(path, { ...body, name: 'Late' }),
  );
  expectFieldErrors(late, ['badFormat', 'url']);
  const { name: _, ...copy } = body;
  const posted = await service.admin.post('/organizations', { ...copy, name: 'Copy', managerIds: undefined });
  expectFieldErrors(posted, ['badFormat', 'url'], ['badFormat', 'contactEmail'], ['badFormat', 'contactPhone']);
});
