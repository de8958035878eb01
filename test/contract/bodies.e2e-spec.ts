import * as transliteration from 'transliteration';
import { expectFieldErrors } from '../support/expect-error';
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

// What is no such body: src/platform/http/validation.pipe.spec.ts and src/platform/http/body/*.spec.ts.
it('a body may begin with a byte order mark, and its media type may have parameters', async () => {
  const type = { 'content-type': 'application/json; version=1; charset=utf8' };
  const { status, body } = await service.admin.post(
    '/organizations',
    `\ufeff${organization({ name: 'Marked' })}`,
    type,
  );
  expect([status, body.data?.name]).toEqual([201, 'Marked']);
});

describe('the worst bodies that fit the limits are refused without costly work, in at most 16 KiB (contract §1.5)', () => {
  it.each<[string, number, string, string]>([
    ['brackets to the limit', 1001, '/organizations', filled('[')],
    ['braces to the limit', 1001, '/organizations', filled('{"a":')],
    ['1,000 members, all unknown', 1024, '/organizations', members(1000)],
    ['1,000 members with names of 60 characters', 1024, '/organizations', members(1000, 1, 'é'.repeat(28))],
    ['1,000 members named like what objects inherit', 1024, '/users', members(1000, {}, '__proto__')],
    ['a list of 990 items', 1024, '/organizations', organization({ featuredApiIds: Array(990).fill('a') })],
    ['a text of combining marks', 1024, '/organizations', organization({ name: filled('\u0315\u0300', 400) })],
    ['a text that grows when composed', 1024, '/organizations', organization({ description: filled('\ufb2c', 400) })],
    ['a long name to transliterate', 1024, '/organizations', organization({ name: filled('特', 400) })],
    ['spaces with something between', 1024, '/organizations', organization({ name: `x${filled(' ', 400)}x` })],
    ['a URL of white space', 1024, '/organizations', organization({ url: `http://${filled('a.', 400)}` })],
    ['an e-mail of at signs', 1024, '/users', JSON.stringify({ email: filled('@.', 400) })],
    ['an e-mail of dots', 1024, '/users', JSON.stringify({ email: `a@${filled('a.', 400)}` })],
    ['a long password', 1024, '/users', JSON.stringify({ password: filled('\u0315\u0300', 400) })],
    ['a long login', 1024, '/sessions', JSON.stringify({ username: 'x', password: filled('x', 400) })],
    ['a long refresh token', 1024, '/tokens', JSON.stringify({ refreshToken: filled('x', 400) })],
    ['numbers that are none', 1001, '/organizations', `{"a":1e${filled('9', 300)}x}`],
    ['escapes to the limit', 1024, '/organizations', `{"name":"${filled('\\u0041')}"}`],
    ['white space, exactly to the limit', 1024, '/organizations', `{${filled(' ', 2)}}`],
  ])('%s: %i', async (_name, code, path, payload) => {
    expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(LIMIT);
    const { response, longest, transliterated } = await costOf(() => service.admin.post(path, payload));
    expect({ code: response.body.code, transliterated }).toEqual({ code, transliterated: 0 });
    expect(response.bytes.length).toBeLessThanOrEqual(16 * 1024);
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
  const { name: _, ...copy } = body;
  const posted = await service.admin.post('/organizations', { ...copy, name: 'Copy', managerIds: undefined });
  expectFieldErrors(posted, ['badFormat', 'url'], ['badFormat', 'contactEmail'], ['badFormat', 'contactPhone']);
});
