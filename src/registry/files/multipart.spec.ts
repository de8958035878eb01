import fc from 'fast-check';
import { BOUNDARY, filePart, form, FORM_TYPE } from '../../../test/support/images';
import { ApiError } from '../../platform/base/errors/api-error';
import { MULTIPART, requireMediaType } from '../../platform/http/body/media-type';
import { parseMultipart } from './multipart';

const MAX_SIZE = 1000;
const parse = (body: Buffer | string, type = FORM_TYPE['content-type']): Promise<unknown> =>
  parseMultipart({ 'content-type': type }, Buffer.from(body), MAX_SIZE);
const unusable = expect.objectContaining({ errorName: 'unusableBody' });

describe('a form', () => {
  it('consists of its parts, in their order, with the bytes that were sent', async () => {
    const data = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const almost = `x--${BOUNDARY}--\r\n-- \r\n --${BOUNDARY}\r\n--roster\n--${BOUNDARY}\r\n\r\n--`;
    const body = form(
      filePart(data, 'C:\\fakepath/a.png'),
      { name: 'other', data: '' },
      { name: 'ü', fileName: '特', data: almost },
    );
    const expected = [
      { name: 'file', fileName: 'a.png', bytes: data },
      { name: 'other', fileName: undefined, bytes: Buffer.alloc(0) },
      { name: 'ü', fileName: '特', bytes: Buffer.from(almost) },
    ];
    const surrounded = Buffer.concat([Buffer.from('before\r\n'), body, Buffer.from('after')]);
    for (const sent of [body, surrounded]) await expect(parse(sent)).resolves.toEqual(expected);
  });

  it('may be empty, or have 1,000 parts', async () => {
    await expect(parse(`--${BOUNDARY}--\r\n`)).resolves.toEqual([]);
    const parts = (count: number) => form(...Array.from({ length: count }, () => ({ name: 'x', data: '' })));
    await expect(parse(parts(1000))).resolves.toHaveLength(1000);
    await expect(parse(parts(1001))).rejects.toEqual(unusable);
  });

  it('is read as fetch sends it', async () => {
    const sent = new FormData();
    sent.append('file', new Blob([Buffer.from('\r\n')], { type: 'image/png' }), 'a "b"\r\n%0a%20%2.png');
    sent.append('other', '');
    const request = new Response(sent);
    const body = Buffer.from(await request.arrayBuffer());
    await expect(parse(body, request.headers.get('content-type')!)).resolves.toEqual([
      { name: 'file', fileName: 'a "b"\r\n%0a%20%2.png', bytes: Buffer.from('\r\n') },
      { name: 'other', fileName: undefined, bytes: Buffer.alloc(0) },
    ]);
  });

  it.each(['*****', '----=_Part_0_1.2', "'()+_,-./:=?", 'a b'])('may have the boundary %s', async (boundary) => {
    const body = form(filePart('x')).toString('latin1').replaceAll(BOUNDARY, boundary);
    await expect(parse(body, `Multipart/Form-Data ; charset=utf-8; boundary="${boundary}"`)).resolves.toHaveLength(1);
  });

  const disposition = 'Content-Disposition: form-data; name="other"\r\n';
  it.each([
    ['without Content-Disposition', 'Content-Type: text/plain\r\n\r\nx'],
    ['that is an attachment', 'Content-Disposition: attachment; name="other"\r\n\r\nx'],
    ['without name', 'Content-Disposition: form-data\r\n\r\nx'],
    ['with an empty name', 'Content-Disposition: form-data; name=""\r\n\r\nx'],
    ['with a malformed header', 'foo bar\r\n\r\nx'],
    ['without headers', '\r\nx'],
    ['with headers that are too long', `${disposition}X: ${'a'.repeat(16 * 1024)}\r\n\r\nx`],
    ['with a name that is too long', `Content-Disposition: form-data; name="${'a'.repeat(16 * 1024)}"\r\n\r\nx`],
    ['with too many headers', `${'a:\r\n'.repeat(100)}${disposition}\r\nx`],
    ['with headers that do not end', disposition],
    ['that is empty', ''],
    ['with a longer delimiter', `${disposition}\r\nx\r\n--${BOUNDARY}x\r\ny`],
  ])('with a part %s is not valid, wherever that part is', async (_name, part) => {
    const [file, bad] = [form(filePart()).toString('latin1'), `--${BOUNDARY}\r\n${part}\r\n`];
    const end = `--${BOUNDARY}--\r\n`;
    for (const body of [bad + file, file.replace(end, bad + end), bad + end])
      await expect(parse(Buffer.from(body, 'latin1'))).rejects.toEqual(unusable);
  });

  it('with a part that is too large is too large, even if it is not valid', async () => {
    const tooLarge = expect.objectContaining({ errorName: 'bodyTooLarge' });
    const [most, more] = [form(filePart('x'.repeat(MAX_SIZE))), form(filePart('x'.repeat(MAX_SIZE + 1)))];
    const end = `\r\n--${BOUNDARY}--\r\n`.length;
    await expect(parse(most)).resolves.toHaveLength(1);
    await expect(parse(most.subarray(0, -end))).rejects.toEqual(unusable);
    await expect(parse(more)).rejects.toEqual(tooLarge);
    await expect(parse(more.subarray(0, -end))).rejects.toEqual(tooLarge);
    await expect(parse(Buffer.concat([Buffer.from(`--${BOUNDARY}\r\nfoo bar\r\n`), more]))).rejects.toEqual(tooLarge);
  });

  it('is not valid without content, when it is cut off, or with another boundary or none', async () => {
    const whole = form(filePart());
    const others = ['', 'nonsense', whole.toString('latin1').replaceAll(BOUNDARY, 'other')];
    for (const body of [...others, ...[-30, 40, -4].map((end) => whole.subarray(0, end))])
      await expect(parse(body)).rejects.toEqual(unusable);
    for (const parameter of ['', '; boundary=', '; boundary', `; boundary=${'x'.repeat(300)}`])
      await expect(parse(whole, `multipart/form-data${parameter}`)).rejects.toEqual(unusable);
  });

  it.each([
    { 'content-type': 'application/json', 'content-length': '2' },
    { 'content-type': 'multipart/mixed; boundary=x' },
    { 'content-type': 'multipart/form-database; boundary=x' },
    { 'content-length': '2' },
    { ...FORM_TYPE, 'content-encoding': 'gzip' },
  ])('cannot be sent as %j', (headers) => {
    const unsupported = expect.objectContaining({ errorName: 'unsupportedMediaType' });
    expect(() => requireMediaType(headers, MULTIPART)).toThrow(unsupported);
  });

  it('is parsed or refused, whatever is changed in it', async () => {
    const whole = form(filePart('\r\n--roster'), { name: 'other', data: 'x' }, { name: 'b', fileName: '', data: '' });
    const bits = ['\r\n', '\r\n\r\n', '--', `\r\n--${BOUNDARY}`, ':', ';', '"', '\0', "filename*=UTF-8''%FF", 'x'];
    const edit = fc.tuple(fc.nat(whole.length), fc.nat(30), fc.constantFrom(...bits));
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        let body = whole;
        for (const [at, taken, put] of edits)
          body = Buffer.concat([body.subarray(0, at), Buffer.from(put), body.subarray(at + taken)]);
        const outcome = await parse(body).catch((error: unknown) => error);
        expect(Array.isArray(outcome) || outcome instanceof ApiError).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
