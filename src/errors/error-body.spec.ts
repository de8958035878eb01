import { errorBody, errorHeaders } from './error-body';
import { errorJson } from './error-json';
import { apiError } from './api-error';
import { FieldError, invalidContent } from './field-error';

const faultsOf = (number: number, title = 'field', detail = 'is wrong'): FieldError[] =>
  Array.from({ length: number }, (_, index) => ({ code: 5002, title: `${title}${index}`, detail }));
const itemsOf = (faults: FieldError[]): FieldError[] => JSON.parse(errorBody(invalidContent(...faults))).message;

describe('the body of a failure', () => {
  it('is the fail envelope', () => {
    expect(JSON.parse(errorBody(apiError('userNotFound')))).toEqual({
      status: 'fail',
      message: 'There is no User with this id.',
      code: 1302,
    });
  });

  it('of invalid content lists the faults', () => {
    expect(JSON.parse(errorBody(invalidContent(...faultsOf(1))))).toEqual({
      status: 'fail',
      code: 1024,
      message: [{ code: 5002, title: 'field0', detail: 'is wrong' }],
    });
  });

  it('cuts a message at 2,000 characters, and none in half', () => {
    const { message } = JSON.parse(errorBody(apiError('lastManager', '😀'.repeat(3000))));
    expect(message).toBe('😀'.repeat(2000));
    expect(JSON.parse(errorBody(apiError('lastManager', 'x'.repeat(2000)))).message).toHaveLength(2000);
  });

  it('cuts titles at 100 characters and reasons at 500', () => {
    const [item] = itemsOf([{ code: 5003, title: '😀'.repeat(101), detail: 'x'.repeat(501) }]);
    expect(item).toEqual({ code: 5003, title: '😀'.repeat(100), detail: 'x'.repeat(500) });
  });

  it('cuts a title between characters, and shows no half of one', () => {
    const titles = [`a${'😀'.repeat(100)}`, 'x\ud800', '\udc00\ud800', 'x'.repeat(100)];
    const shown = itemsOf(titles.map((title) => ({ code: 5003, title, detail: '' })));
    expect(shown.map(({ title }) => title)).toEqual([
      `a${'😀'.repeat(99)}`,
      'x\ufffd',
      '\ufffd\ufffd',
      'x'.repeat(100),
    ]);
  });

  it('leaves the faults themselves as they are', () => {
    const found = faultsOf(51, 'x'.repeat(101));
    errorBody(invalidContent(...found));
    expect(found).toEqual(faultsOf(51, 'x'.repeat(101)));
  });

  it('shows as many faults as fit into 15 KiB, a comma after each', () => {
    const size = (...found: FieldError[]): number =>
      found.reduce((sum, one) => sum + Buffer.byteLength(errorJson(one)) + 1, 0);
    const one: FieldError = { code: 5003, title: '😀'.repeat(100), detail: 'is wrong' };
    const many = Array.from({ length: 34 }, () => one);
    const rest = { code: 5003, title: 'last', detail: '' };
    const last = { ...rest, detail: 'x'.repeat(15 * 1024 - size(...many, rest)) };
    expect(itemsOf([...many, last])).toEqual([...many, last]);
    expect(itemsOf([...many, { ...last, detail: `${last.detail}x` }])).toHaveLength(34);
  });

  it('shows 50 faults, and counts those that are left out in the last', () => {
    expect(itemsOf(faultsOf(50)).at(-1)?.detail).toBe('is wrong');
    expect(itemsOf(faultsOf(51))).toHaveLength(50);
    expect(itemsOf(faultsOf(51)).at(-1)).toEqual({
      code: 5002,
      title: 'field49',
      detail: 'is wrong; more faults left out: 1',
    });
    expect(itemsOf(faultsOf(52)).at(-1)?.detail).toBe('is wrong; more faults left out: 2');
  });

  it('stays within 16 KiB, whatever the faults are', () => {
    for (const title of ['x', '\u0001', '😀', '"'].map((one) => one.repeat(120))) {
      const faults = faultsOf(60, title, title.repeat(5));
      const body = errorBody(invalidContent(...faults));
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(16 * 1024);
      const { message } = JSON.parse(body) as { message: FieldError[] };
      expect(message.length).toBeGreaterThan(1);
      expect(message.at(-1)?.detail).toMatch(new RegExp(`; more faults left out: ${60 - message.length}$`));
    }
  });
});

describe('the headers of a failure', () => {
  const type = { 'content-type': 'application/json; charset=utf-8' };

  it.each([
    [apiError('userNotFound'), {}],
    [apiError('noCredentials'), { 'www-authenticate': 'Bearer' }],
    [apiError('tooManyRequests'), { 'retry-after': '60' }],
    [apiError('databaseUnavailable'), { 'retry-after': '5' }],
    [apiError('maintenance', undefined, { 'Retry-After': '120' }), { 'retry-after': '120' }],
    [apiError('methodNotAllowed', undefined, { Allow: 'GET' }), { allow: 'GET' }],
  ])('%p: %j', (failure, expected) => expect(errorHeaders(failure)).toEqual({ ...type, ...expected }));
});
