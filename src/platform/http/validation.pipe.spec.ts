import { type FieldError, InvalidContentError } from '../base/errors/field-error';
import type { AuthorizedRequest } from './access/request-access';
import { RawBody } from './body/raw-body';
import { RecordIds } from './fields/list-fields';
import { ReadOnlyFields } from './fields/read-only-fields';
import { RequiredWith } from './fields/related-fields';
import { Text } from './fields/text-fields';
import { Flag } from './fields/value-fields';
import { RequestValidationPipe } from './validation.pipe';

@ReadOnlyFields('_id')
class Sample {
  @Text({ max: 5 }) name!: string;
  @Flag({ default: false }) isPublic!: boolean;
}

@ReadOnlyFields('createdAt')
class Derived extends Sample {
  @RecordIds({ max: 4, optional: true }) ids?: string[];
}

class Linked {
  @Text({ max: 5, default: null }) url!: string | null;
  @RequiredWith('url')
  @Text({ max: 5, default: null })
  kind!: string | null;
}

const pipe = new RequestValidationPipe();
const raw = (body: string | Buffer, headers: object = { 'content-type': 'application/json' }): RawBody =>
  new RawBody({ raw: { headers } } as AuthorizedRequest, Buffer.from(body));
/** The body of a PUT of this record. */
const put = (body: string, record: () => object): RawBody =>
  Object.assign(raw(body), {
    request: {
      method: 'PUT',
      raw: { headers: { 'content-type': 'application/json' } },
      access: {
        get record() {
          return record();
        },
      },
    },
  });

const read = (body: string | Buffer, headers?: object): Promise<unknown> =>
  pipe.transform(raw(body, headers), { type: 'body', metatype: Derived });

async function errorsOf(text: string): Promise<readonly FieldError[]> {
  const error: unknown = await read(text).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(InvalidContentError);
  return (error as InvalidContentError).fieldErrors;
}

describe('the pipe', () => {
  it('makes an instance of the handler’s DTO', async () => {
    const content = await pipe.transform(raw('{"name":" a "}'), { type: 'body', metatype: Sample });
    expect(content).toBeInstanceOf(Sample);
    expect(content).toEqual({ name: 'a', isPublic: false });
  });

  it('passes other parameters on', async () => {
    await expect(pipe.transform('1', { type: 'param', metatype: Number })).resolves.toBe('1');
  });

  it('validates a body once: a handler that runs again gets the same content, which it cannot change', async () => {
    const body = raw('{"name":"a","ids":[]}');
    const content = await pipe.transform(body, { type: 'body', metatype: Derived });
    expect(Object.isFrozen(content)).toBe(true);
    await expect(pipe.transform(body, { type: 'body', metatype: Derived })).resolves.toBe(content);
  });

  it('throws for a method without a body, which is a programming error', async () => {
    await expect(pipe.transform(undefined, { type: 'body', metatype: Sample })).rejects.toThrow('Only POST and PUT');
  });

  it('checks the media type before the JSON, also of a form, which is not received', async () => {
    const refused = expect.objectContaining({ status: 415, code: 1003 }) as object;
    await expect(read('[', { 'content-type': 'a/b' })).rejects.toEqual(refused);
    const form = raw('', { 'content-type': 'multipart/form-data; boundary=x' });
    await expect(pipe.transform(form, { type: 'body', metatype: Sample })).rejects.toEqual(refused);
  });

  it.each<[string, Buffer, object?]>([
    ['nothing', Buffer.alloc(0)],
    ['nothing without a media type', Buffer.alloc(0), {}],
    ['nothing of length 0', Buffer.alloc(0), { 'content-length': '0' }],
    ['a byte that is no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['a surrogate in UTF-8', Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d])],
    ['a byte order mark alone', Buffer.from('\ufeff')],
    ['a second byte order mark', Buffer.from('\ufeff\ufeff{}')],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
  ])('refuses %s with 1001', async (...[, bytes, headers]) => {
    await expect(read(bytes, headers)).rejects.toEqual(expect.objectContaining({ status: 400, code: 1001 }));
  });

  it('says that a body is not UTF-8', async () => {
    await expect(read(Buffer.from([0xff]))).rejects.toThrow('The body is not UTF-8.');
  });

  it('passes over a byte order mark, at the beginning only', async () => {
    await expect(read('\ufeff{"name":"a"}')).resolves.toEqual({ name: 'a', isPublic: false });
    await expect(read(' \ufeff{"name":"a"}')).rejects.toEqual(expect.objectContaining({ code: 1001 }));
  });
});

describe('the content of a body', () => {
  it('may have read-only fields, those of base classes included, with any value, but no unknown ones', async () => {
    const members = { name: 'a', _id: { $gt: '' }, createdAt: [] };
    const content = { name: 'a', isPublic: false };
    await expect(read(JSON.stringify(members))).resolves.toEqual(content);
    expect(await errorsOf(JSON.stringify({ ...members, x: 1 }))).toMatchObject([{ code: 5003, title: 'x' }]);
  });

  it('may repeat what the record has and would now be invalid; each attempt of a write looks again', async () => {
    let record: object = { name: 'too long', ids: ['x'] };
    const body = put('{"name":"too long","ids":["x"]}', () => record);
    const read = (): Promise<unknown> => pipe.transform(body, { type: 'body', metatype: Derived });
    await expect(read()).resolves.toEqual({ name: 'too long', ids: ['x'], isPublic: false });
    record = { ...record, name: 'longest' };
    await expect(read()).rejects.toMatchObject({ fieldErrors: [{ title: 'name' }] });
  });

  it('needs what goes with another field, also where the record has neither', async () => {
    const body = put('{"url":"a","kind":null}', () => ({ url: null, kind: null }));
    const read = pipe.transform(body, { type: 'body', metatype: Linked });
    await expect(read).rejects.toMatchObject({ fieldErrors: [{ code: 5001, title: 'kind' }] });
  });

  it.each([
    [
      '{"$where":1,"ids":{},"__proto__":{},"constructor":null,"prototype":1,"isPublic":1,"toString":1}',
      '5001 name, 5002 isPublic, 5002 ids, 5003 $where, 5003 __proto__, 5003 constructor, 5003 prototype, 5003 toString',
    ],
    // What is nested cannot reach class-transformer.
    [
      '{"name":{"constructor":1},"isPublic":{"constructor":{"name":"x"}},"ids":[{"constructor":1}]}',
      '5002 name, 5002 isPublic, 5002 ids.0',
    ],
  ])('has one error per field, in the model’s order, unknown fields last: %s', async (members, expected) => {
    const found = await errorsOf(members);
    expect(found.map(({ code, title }) => `${code} ${title}`).join(', ')).toBe(expected);
  });

  it('has all errors of the worst body that can be read', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 998 }, (_, index) => [`field ${index}`, 0]));
    expect(await errorsOf(JSON.stringify({ isPublic: 1, ...unknown }))).toHaveLength(1000);
  });
});
