import { isUtf8 } from 'node:buffer';
import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import { apiError } from '../base/errors/api-error';
import { BoundedMap } from '../base/bounded-map';
import { fieldError, invalidContent } from '../base/errors/field-error';
import { parseObject } from './body/json';
import { JSON_IN_UTF8, requireMediaType } from './body/media-type';
import { RawBody } from './body/raw-body';
import { requestFieldsOf } from './fields/field';
import {
  declaredValues,
  toFieldErrors,
  transformOptions,
  unknownFields,
  type validateFields,
  validatorOptions,
} from './fields/validate-fields';
import { ListQuery } from './query/page-query.dto';
import { invalidQuery, RawQuery } from './query/raw-query';
import { memoized } from '../base/memoized';
import { isSame } from '../records/schema/derived-fields';
import { isById } from '../records/schema/sorts';
import { MAX_LIMIT } from '../records/reads/page';

type Dto = new () => object;

/** The most query strings of one list that are remembered, and the longest (characters). */
const MAX_REMEMBERED = 1000;
const MAX_LENGTH = 200;

/**
 * Parses the body or the query string, and validates it against the class of the handler's parameter. A body is read
 * once for all attempts of a write. Throws `unsupportedMediaType`, `unusableBody`, or one error per field, unknown fields
 * last (contract §2); `invalidQuery` that names the first invalid parameter (contract §1.4).
 */
@Injectable()
export class RequestValidationPipe extends ValidationPipe {
  /** What valid query strings mean: requests share the results. */
  private readonly acceptedQueries = memoized((_dto: Dto) => new BoundedMap<object>(MAX_REMEMBERED));

  constructor() {
    super({
      transform: true,
      transformOptions,
      ...validatorOptions,
      validationError: { target: true },
      exceptionFactory: (errors) =>
        new InvalidValues({ value: errors[0]!.target!, fieldErrors: toFieldErrors(errors) }),
    });
  }

  override async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    const dto = metatype as Dto;
    if (value instanceof RawQuery) return (value.content = await this.queryOf(value, dto));
    if (type !== 'body') return value;
    if (!(value instanceof RawBody)) throw new Error('Only POST and PUT have a body.');
    const takesNothing = requestFieldsOf(dto).length === 0 || value.request.access?.registrant;
    if (takesNothing && value.isEmpty) return {};
    return value.content ?? this.readBody(value, dto);
  }

  private async readBody(body: RawBody, dto: Dto): Promise<object> {
    const { request, bytes } = body;
    requireMediaType(request.raw.headers, JSON_IN_UTF8);
    if (!isUtf8(bytes!)) throw apiError('unusableBody', 'The body is not UTF-8.');
    // Windows writes a byte order mark.
    const members = parseObject(bytes!.toString().replace(/^\ufeff/, ''));
    // Nest's pipe would silently drop `__proto__` and `constructor`, and report other unknown fields first.
    const unknownErrors = unknownFields(dto, members).map((name) => fieldError('unknownField', name));
    const { value, fieldErrors } = await this.validated(dto, declaredValues(dto, members), 'body');
    const content = Object.freeze(value);
    const stored = request.method === 'PUT' ? request.access?.record : undefined;
    const found = fieldErrors.filter(({ title }) => !isUnchanged(title.split('.', 1)[0]!, content, stored));
    if (found.length + unknownErrors.length > 0) throw invalidContent(...found, ...unknownErrors);
    // What is unchanged may be another at the next attempt.
    if (fieldErrors.length === 0) body.content = content;
    return content;
  }

  private async queryOf(raw: RawQuery, dto: Dto): Promise<object> {
    const query = this.acceptedQueries(dto).get(raw.text) ?? (await this.readQuery(raw, dto));
    if (!(query instanceof ListQuery) || !raw.wantsExactCount) return query;
    return Object.freeze(Object.assign(new dto(), query, { exactCount: true }));
  }

  private async readQuery(raw: RawQuery, dto: Dto): Promise<object> {
    const given = raw.parse();
    const known = requestFieldsOf(dto);
    const unknown = [...given.keys()].find((name) => !known.includes(name));
    if (unknown !== undefined) throw invalidQuery(unknown, `is unknown; these are known: ${known.join(', ')}`);
    const { value: query, fieldErrors } = await this.validated(dto, Object.fromEntries(given), 'query');
    const [first] = fieldErrors;
    if (first) throw invalidQuery(first.title, first.detail);
    if (given.has('skip') && given.has('after')) throw invalidQuery('after', 'cannot be combined with "skip"');
    const { sort } = query as { sort?: string };
    if (given.has('after') && !isById({ sort }))
      throw invalidQuery('after', `cannot be combined with "sort=${sort}": read pages with "skip"`);
    if (given.has('id') && !given.has('limit')) Object.assign(query, { limit: MAX_LIMIT });
    // Each page by `after` is asked for once.
    if (raw.text.length <= MAX_LENGTH && !given.has('after')) this.acceptedQueries(dto).set(raw.text, query);
    return Object.freeze(query);
  }

  /** Makes an instance of a DTO and validates it, as Nest does. */
  private async validated(dto: Dto, values: object, type: 'body' | 'query'): Promise<Validated> {
    try {
      return { value: (await super.transform(values, { type, metatype: dto })) as object, fieldErrors: [] };
    } catch (error) {
      if (error instanceof InvalidValues) return error.validated;
      throw error;
    }
  }
}

type Validated = ReturnType<typeof validateFields>;

/** What Nest's pipe throws for values that are not valid. */
class InvalidValues extends Error {
  constructor(readonly validated: Validated) {
    super();
  }
}

/** A value that the record has was valid when it was stored, and a PUT that repeats it does not change it. */
function isUnchanged(name: string, content: object, stored: object = {}): boolean {
  const [sent, current] = [content, stored].map((one) => (one as Record<string, unknown>)[name]);
  return current !== undefined && current !== null && isSame(sent, current);
}
