import { Readable } from 'node:stream';
import { type FieldError, InvalidContentError } from '../errors/field-error';
import { ReadOnlyFields } from './fields/read-only-fields';
import { Text } from './fields/text-fields';
import { Flag } from './fields/value-fields';
import { ContentPipe, readContent } from './body.pipe';
import { UnreadBody } from '../http/body/unread-body';

@ReadOnlyFields('_id')
class Sample {
  @Text({ max: 5 })
  name!: string;

  @Flag({ default: false })
  isPublic!: boolean;
}

@ReadOnlyFields('createdAt')
class Derived extends Sample {}

const faultsOf = (members: object): readonly FieldError[] => {
  try {
    readContent(Derived, members as Record<string, unknown>);
    return [];
  } catch (error) {
    if (error instanceof InvalidContentError) return error.fieldErrors;
    throw error;
  }
};
const named = (count: number, name: (index: number) => string): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), 0]));

describe('ContentPipe', () => {
  const unread = (text: string): UnreadBody =>
    new UnreadBody({ 'content-type': 'application/json' }, Readable.from([Buffer.from(text)]), 100);

  it('makes the DTO of the handler', async () => {
    const content = await new ContentPipe().transform(unread('{"name":" a "}'), { type: 'body', metatype: Sample });
    expect(content).toBeInstanceOf(Sample);
    expect(content).toEqual({ name: 'a', isPublic: false });
  });

  it('hands an unread body to a handler that reads it itself', async () => {
    const body = unread('--x');
    await expect(new ContentPipe().transform(body, { type: 'body', metatype: UnreadBody })).resolves.toBe(body);
    expect(body.stream.readableDidRead).toBe(false);
  });

  it('lets other parameters pass', async () => {
    await expect(new ContentPipe().transform('x', { type: 'param', metatype: String })).resolves.toBe('x');
  });

  it('refuses a body that somebody has read before: that is a mistake of ours', async () => {
    await expect(new ContentPipe().transform({}, { type: 'body', metatype: Sample })).rejects.toThrow('has been read');
  });
});

describe('readContent', () => {
  it('passes over read-only fields, those of base classes included, whatever they hold', () => {
    const members = { name: 'a', _id: { $gt: '' }, createdAt: [] };
    expect(readContent(Derived, members)).toEqual({ name: 'a', isPublic: false });
  });

  it('names every faulty field once, in the model’s order, unknown ones last', () => {
    const members = JSON.parse('{"$where":1,"__proto__":{},"constructor":null,"isPublic":1,"toString":1}') as object;
    expect(faultsOf(members).map(({ code, title }) => [code, title])).toEqual([
      [5001, 'name'],
      [5002, 'isPublic'],
      [5003, '$where'],
      [5003, '__proto__'],
      [5003, 'constructor'],
      [5003, 'toString'],
    ]);
  });

  it('finds every fault of the worst body within the limits', () => {
    const faults = faultsOf({ isPublic: 1, ...named(998, String) });
    expect(faults).toHaveLength(1000);
    expect(faults[0]).toMatchObject({ code: 5001, title: 'name' });
  });

  it('takes the worst body within the limits in little time', () => {
    const members = named(1000, (index) => `${index}${'é'.repeat(25)}`);
    readOnce(members);
    const began = performance.now();
    readOnce(members);
    expect(performance.now() - began).toBeLessThan(10);
  });
});

function readOnce(members: object): void {
  expect(faultsOf(members)).toHaveLength(1001);
}
