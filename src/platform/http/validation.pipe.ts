import { isUtf8 } from 'node:buffer';
import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import { apiError } from '../base/errors/api-error';
import { type FieldError, fieldError, invalidContent, InvalidContentError } from '../base/errors/field-error';
import { parseObject } from './body/json';
import { JSON_IN_UTF8, requireMediaType } from './body/media-type';
import { RawBody } from './body/raw-body';
import { requestFieldsOf } from './fields/field';
import {
  declaredValues,
  toFieldErrors,
  transformOptions,
  unknownFields,
  validateFields,
  validatorOptions,
} from './fields/validate-fields';
import { AcceptedQueries } from './query/accepted-queries';
import { ListQuery } from './query/page-query.dto';
import { invalidQuery, parseQuery } from './query/parse-query';
import { wantsExactCount } from './query/prefer';
import { RawQuery } from './query/raw-query';
import { MAX_LIMIT } from '../records/reads/page';

type Dto = new () => object;

/**
 * Parses the body or the query string, and validates it against the class of the handler's parameter. A body is read
 * once for all attempts of a write. Throws `unsupportedMediaType`, `unusableBody`, or one error per field, unknown fields
 * last (contract §2); `invalidQuery` that names the first invalid parameter (contract §1.4).
 */
@Injectable()
export class RequestValidationPipe extends ValidationPipe {
  private readonly acceptedQueries = new AcceptedQueries();

  constructor() {
    super({
      transform: true,
      transformOptions,
      ...validatorOptions,
      validationError: { target: true },
      exceptionFactory: (errors) => invalidContent(...toFieldErrors(errors)),
    });
  }

  override async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    const dto = metatype as Dto;
    if (value instanceof RawQuery) return (value.content = await this.queryOf(value, dto));
    if (type !== 'body') return value;
    if (!(value instanceof RawBody)) throw new Error('Only POST and PUT have a body.');
    return value.content ?? this.readBody(value, dto);
  }

  private async readBody(body: RawBody, dto: Dto): Promise<object> {
    const { headers, bytes } = body;
    requireMediaType(headers, JSON_IN_UTF8);
    if (!isUtf8(bytes!)) throw apiError('unusableBody', 'The body is not UTF-8.');
    // Windows writes a byte order mark.
    const members = parseObject(bytes!.toString().replace(/^\ufeff/, ''));
    // Nest's pipe would silently drop `__proto__` and `constructor`, and report other unknown fields first.
    const unknownErrors = unknownFields(dto, members).map((name) => fieldError('unknownField', name));
    const values = declaredValues(dto, members);
    let found: readonly FieldError[] = [];
    const valid = await this.validated(values, { type: 'body', metatype: dto }, (errors) => {
      found = errors;
      return invalidContent(...errors, ...unknownErrors);
    }).catch((error: unknown) => {
      if (found.length === 0) throw error;
    });
    const content = Object.freeze(valid ?? validateFields(dto, values).value);
    found = found.filter(({ title }) => !isUnchanged(title.split('.', 1)[0]!, content, body.stored()));
    if (found.length + unknownErrors.length > 0) throw invalidContent(...found, ...unknownErrors);
    // What is unchanged may be another at the next attempt.
    if (valid) body.content = content;
    return content;
  }

  private async queryOf({ headers, text }: RawQuery, dto: Dto): Promise<object> {
    const query = this.acceptedQueries.find(dto, text) ?? (await this.readQuery(text, dto));
    if (!(query instanceof ListQuery) || !wantsExactCount(headers.prefer)) return query;
    return Object.freeze(Object.assign(new dto(), query, { exactCount: true }));
  }

  private async readQuery(text: string, dto: Dto): Promise<object> {
    const given = parseQuery(text);
    const known = requestFieldsOf(dto);
    const unknown = [...given.keys()].find((name) => !known.includes(name));
    if (unknown !== undefined) throw invalidQuery(unknown, `is unknown; these are known: ${known.join(', ')}`);
    const metadata = { type: 'query', metatype: dto } as const;
    const query = await this.validated(Object.fromEntries(given), metadata, ([first]) =>
      invalidQuery(first!.title, first!.detail),
    );
    if (given.has('skip') && given.has('after')) throw invalidQuery('after', 'cannot be combined with "skip"');
    if (given.has('id') && !given.has('limit')) Object.assign(query, { limit: MAX_LIMIT });
    this.acceptedQueries.add(dto, text, Object.freeze(query));
    return query;
  }

  /** Validates as Nest does. @param refusal makes the error of the fields that are invalid */
  private async validated(
    values: object,
    metadata: ArgumentMetadata,
    refusal: (found: readonly FieldError[]) => Error,
  ): Promise<object> {
    return (super.transform(values, metadata) as Promise<object>).catch((error: unknown) => {
      throw error instanceof InvalidContentError ? refusal(error.fieldErrors) : error;
    });
  }
}

/** A value that the record has was valid when it was stored, and a PUT that repeats it does not change it. */
function isUnchanged(name: string, content: object, stored: object | undefined): boolean {
  const [sent, current] = [content, stored ?? {}].map((one) => (one as Record<string, unknown>)[name]);
  return current !== undefined && current !== null && JSON.stringify(sent) === JSON.stringify(current);
}
