import fc from 'fast-check';
import { BOUNDARY, filePart, form, FORM_TYPE } from '../../test/support/images';
import { ApiError } from '../errors/api-error';
import { parseMultipart, requireMultipart } from './multipart';

const MAX_SIZE = 1000;
const parse = (body: Buffer | string, headers = FORM_TYPE): Promise<unknown> =>
  parseMultipart(headers, Buffer.from(body), MAX_SIZE);
const broken = expect.objectContaining({ errorName: 'unusableBody' });

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

  it('may have spaces behind its delimiters', async () => {
    const padded = form(filePart('x'), { name: 'other', data: '' })
      .toString('latin1')
      .replaceAll(/(--roster-tests(?:--)?)\r\n/g, '$1 \t\r\n');
    await expect(parse(padded)).resolves.toHaveLength(2);
  });

  it('may hold what is no delimiter', async () => {
    const data = `x--${BOUNDARY}--\r\n-- \r\n --${BOUNDARY}\r\n--roster\n--${BOUNDARY}\r\n\r\n--`;
    await expect(parse(form(filePart(data), filePart('--')))).resolves.toEqual([
      { name: 'file', fileName: 'logo.png', bytes: Buffer.from(data) },
      { name: 'file', fileName: 'logo.png', bytes: Buffer.from('--') },
    ]);
  });

  it('is taken as fetch sends it', async () => {
    const sent = new FormData();
    sent.append('file', new Blob([Buffer.from('\r\n')], { type: 'image/png' }), 'a "b".png');
    sent.append('other', '');
    const request = new Response(sent);
    const body = Buffer.from(await request.arrayBuffer());
    await expect(parse(body, { 'content-type': request.headers.get('content-type') ?? '' })).resolves.toEqual([
      { name: 'file', fileName: 'a %22b%22.png', bytes: Buffer.from('\r\n') },
      { name: 'other', fileName: undefined, bytes: Buffer.alloc(0) },
    ]);
  });

  it.each(['*****', '------------------------d74496d6', '----=_Part_0_1.2', "'()+_,-./:=?", 'a b'])(
    'may have the boundary %s',
    async (boundary) => {
      const body = form(filePart('x')).toString('latin1').replaceAll(BOUNDARY, boundary);
      const type = boundary.includes(' ') ? `"${boundary}"` : boundary;
      const headers = { 'content-type': `multipart/form-data; boundary=${type}` };
      await expect(parse(body, headers)).resolves.toHaveLength(1);
    },
  );

  const other = 'Content-Disposition: form-data; name="other"\r\n';
  const long = `X: ${'a'.repeat(90_000)}\r\n`;
  it.each([
    ['that says nothing of itself', 'Content-Type: text/plain\r\n\r\nx'],
    ['that is an attachment', 'Content-Disposition: attachment; name="other"\r\n\r\nx'],
    ['whose header is none', 'foo bar\r\n\r\nx'],
    ['without headers', '\r\nx'],
    ['whose headers are too long', `${long}${other}\r\nx`],
    ['whose headers do not end', other],
    ['that is nothing', ''],
    ['whose delimiter goes on', `${other}\r\nx\r\n--${BOUNDARY}x\r\ny`],
  ])('with a part %s is unusable, wherever it stands', async (_name, part) => {
    const [file, bad] = [form(filePart()).toString('latin1'), `--${BOUNDARY}\r\n${part}\r\n`];
    await expect(parse(Buffer.from(bad + file, 'latin1'))).rejects.toEqual(broken);
    const behind = `${file.slice(0, -4)}\r\n${part}\r\n--${BOUNDARY}--`;
    await expect(parse(Buffer.from(behind, 'latin1'))).rejects.toEqual(broken);
    await expect(parse(`${bad}--${BOUNDARY}--\r\n`)).rejects.toEqual(broken);
  });

  it('with a part that holds too much is too large, before it is unusable', async () => {
    const tooLarge = expect.objectContaining({ errorName: 'bodyTooLarge' });
    const [most, more] = [form(filePart('x'.repeat(MAX_SIZE))), form(filePart('x'.repeat(MAX_SIZE + 1)))];
    const end = `\r\n--${BOUNDARY}--\r\n`.length;
    await expect(parse(most)).resolves.toHaveLength(1);
    await expect(parse(more)).rejects.toEqual(tooLarge);
    await expect(parse(more.subarray(0, -end))).rejects.toEqual(tooLarge);
    await expect(parse(Buffer.concat([Buffer.from(`--${BOUNDARY}\r\nfoo bar\r\n`), more]))).rejects.toEqual(tooLarge);
    await expect(parse(most.subarray(0, -end))).rejects.toEqual(broken);
  });

  it.each([
    ['without content', ''],
    ['that is none', 'nonsense'],
    ['that breaks off in its part', form(filePart()).subarray(0, -30)],
    ['that breaks off in a header', form(filePart()).subarray(0, 40)],
    ['that lacks its end', form(filePart()).subarray(0, -6)],
    ['with another boundary', form(filePart()).toString('latin1').replaceAll(BOUNDARY, 'other')],
    ['with a part without name', `--${BOUNDARY}\r\nContent-Disposition: form-data\r\n\r\nx\r\n--${BOUNDARY}--\r\n`],
    [
      'with a part whose name is empty',
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name=""\r\n\r\nx\r\n--${BOUNDARY}--`,
    ],
    ['with 1,001 parts', form(...Array.from({ length: 1001 }, () => ({ name: 'x', data: '' })))],
  ])('%s is unusable', async (_name, body) => {
    await expect(parse(body)).rejects.toEqual(broken);
  });

  it.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary',
    `multipart/form-data; boundary=${'x'.repeat(300)}`,
  ])('%s, without boundary that can be used, is unusable', async (type) => {
    await expect(parse(form(filePart()), { 'content-type': type })).rejects.toEqual(broken);
  });

  it.each([
    { 'content-type': 'application/json', 'content-length': '2' },
    { 'content-type': 'multipart/mixed; boundary=x' },
    { 'content-type': 'multipart/form-database; boundary=x' },
    { 'content-length': '2' },
    { ...FORM_TYPE, 'content-encoding': 'gzip' },
  ])('does not come as %j', (headers) => {
    expect(() => requireMultipart(headers)).toThrow(expect.objectContaining({ errorName: 'unsupportedMediaType' }));
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
        const outcome = await parseMultipart(FORM_TYPE, body, MAX_SIZE).catch((error: unknown) => error);
        expect(Array.isArray(outcome) || outcome instanceof ApiError).toBe(true);
      }),
      { numRuns: 2000 },
    );
  }, 20_000);
});
