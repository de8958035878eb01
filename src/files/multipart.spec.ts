import fc from 'fast-check';
import { BOUNDARY, filePart, form, FORM_TYPE } from '../../test/support/images';
import { Failure } from '../http/failures';
import { parseMultipart, requireMultipart } from './multipart';

const parse = (body: Buffer | string, headers = FORM_TYPE): Promise<unknown> =>
  parseMultipart(headers, Buffer.from(body));
const broken = expect.objectContaining({ failure: 'unusableBody' });

describe('a form', () => {
  it('gives its parts in their order', async () => {
    const data = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const body = form(filePart(data, 'a/b.png'), { name: 'other', data: '' }, { name: 'ü', fileName: '特', data: 'x' });
    await expect(parse(body)).resolves.toEqual([
      { name: 'file', fileName: 'a/b.png', bytes: data },
      { name: 'other', fileName: undefined, bytes: Buffer.alloc(0) },
      { name: 'ü', fileName: '特', bytes: Buffer.from('x') },
    ]);
  });

  it('may have no part', async () => {
    await expect(parse(`--${BOUNDARY}--\r\n`)).resolves.toEqual([]);
  });

  it('may have text before and after, and spaces in its media type', async () => {
    const headers = { 'content-type': `Multipart/Form-Data ; charset=utf-8; boundary="${BOUNDARY}"` };
    requireMultipart(headers);
    const body = Buffer.concat([Buffer.from('before\r\n'), form(filePart('x')), Buffer.from('after')]);
    await expect(parse(body, headers)).resolves.toHaveLength(1);
  });

  it.each([
    ['without content', ''],
    ['that is none', 'nonsense'],
    ['that breaks off in its part', form(filePart()).subarray(0, -30)],
    ['that breaks off in a header', form(filePart()).subarray(0, 40)],
    ['that lacks its end', form(filePart()).subarray(0, -6)],
    ['with another boundary', form(filePart()).toString('latin1').replaceAll(BOUNDARY, 'other')],
    ['with a part without name', `--${BOUNDARY}\r\nContent-Disposition: form-data\r\n\r\nx\r\n--${BOUNDARY}--\r\n`],
    ['with 1,001 parts', form(...Array.from({ length: 1001 }, () => ({ name: 'x', data: '' })))],
  ])('%s is unusable', async (_name, body) => {
    await expect(parse(body)).rejects.toEqual(broken);
  });

  it.each(['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary'])(
    '%s, without boundary, is unusable',
    async (type) => {
      await expect(parse(form(filePart()), { 'content-type': type })).rejects.toEqual(broken);
    },
  );

  it.each([
    { 'content-type': 'application/json', 'content-length': '2' },
    { 'content-type': 'multipart/mixed; boundary=x' },
    { 'content-type': 'multipart/form-database; boundary=x' },
    { 'content-length': '2' },
    { ...FORM_TYPE, 'content-encoding': 'gzip' },
  ])('does not come as %j', (headers) => {
    expect(() => requireMultipart(headers)).toThrow(expect.objectContaining({ failure: 'unsupportedMediaType' }));
  });

  it('is parsed or refused, whatever is changed in it', async () => {
    const whole = form(
      filePart('\r\n--roster'),
      { name: 'other', data: 'x' },
      { name: 'more', fileName: 'y', data: '' },
    );
    const bits = fc.constantFrom(
      '\r\n',
      '\r\n\r\n',
      '--',
      `--${BOUNDARY}`,
      ':',
      ';',
      '"',
      '\0',
      "filename*=UTF-8''%FF",
      'x',
    );
    const edit = fc.tuple(fc.nat(whole.length), fc.nat(30), bits);
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        let body = whole;
        for (const [at, taken, put] of edits) {
          body = Buffer.concat([body.subarray(0, at), Buffer.from(put), body.subarray(at + taken)]);
        }
        const outcome = await parseMultipart(FORM_TYPE, body).catch((error: unknown) => error);
        expect(Array.isArray(outcome) || outcome instanceof Failure).toBe(true);
      }),
      { numRuns: 2000 },
    );
  }, 20_000);
});
