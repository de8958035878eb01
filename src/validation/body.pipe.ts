import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { fieldError, type FieldError, InvalidContentError } from '../errors/field-error';
import { fieldsOf } from './fields/field';
import { judge } from './fields/judge';
import { readOnlyFieldsOf } from './fields/read-only-fields';
import { readBody } from '../http/body/read-body';
import { UnreadBody } from '../http/body/unread-body';

/**
 * The global pipe: turns the body that nobody has read yet into an instance of the handler's DTO. A handler that reads
 * the body itself declares `@Body() body: UnreadBody` and gets it as it is. Other parameters pass.
 */
@Injectable()
export class ContentPipe implements PipeTransform {
  /** @throws Failure of `readBody`, or InvalidContent with all the faults of the content */
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (type !== 'body' || metatype === UnreadBody) return value;
    if (!(value instanceof UnreadBody)) throw new Error('The body has been read, or is none of POST or PUT.');
    return readContent(metatype as new () => object, await readBody(value));
  }
}

/**
 * The members of a body as an instance of the DTO that declares them.
 * @throws InvalidContent with one fault a field, in the model's order, unknown fields last (contract §2, Faults)
 */
export function readContent<T extends object>(dto: new () => T, members: Record<string, unknown>): T {
  const known = new Set([...fieldsOf(dto), ...readOnlyFieldsOf(dto)]);
  const unknown = Object.keys(members).filter((name) => !known.has(name));
  const { content, faults } = judge(dto, members);
  const found: FieldError[] = [...faults, ...unknown.map((name) => fieldError('unknownField', name))];
  if (found.length > 0) throw new InvalidContentError(found);
  return content;
}
