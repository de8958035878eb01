import { isUtf8 } from 'node:buffer';
import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import { apiError } from '../../base/errors/api-error';
import { fieldError, invalidContent, InvalidContentError } from '../../base/errors/field-error';
import { parseObject } from './json';
import { JSON_IN_UTF8, requireMediaType } from './media-type';
import { RawBody } from './raw-body';
import {
  declaredValues,
  toFieldErrors,
  transformOptions,
  unknownFields,
  validatorOptions,
} from '../fields/validate-fields';

/**
 * Parses the body and validates it against the handler's DTO, once for all attempts of a write. Throws
 * `unsupportedMediaType`, `unusableBody`, or one error per field, unknown fields last (contract §2).
 */
@Injectable()
export class BodyValidationPipe extends ValidationPipe {
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
    if (type !== 'body') return value;
    if (!(value instanceof RawBody)) throw new Error('Only POST and PUT have a body.');
    value.content ??= Object.freeze(await this.parseAs(metatype as new () => object, value));
    return value.content;
  }

  private async parseAs<T extends object>(dto: new () => T, { headers, bytes }: RawBody): Promise<T> {
    requireMediaType(headers, JSON_IN_UTF8);
    if (!isUtf8(bytes!)) throw apiError('unusableBody', 'The body is not UTF-8.');
    const members = parseObject(bytes!.toString());
    // Nest's pipe would silently drop `__proto__` and `constructor`, and report other unknown fields first.
    const unknownErrors = unknownFields(dto, members).map((name) => fieldError('unknownField', name));
    const validated = super.transform(declaredValues(dto, members), { type: 'body', metatype: dto }) as Promise<T>;
    const content = await validated.catch((error: unknown) => {
      throw error instanceof InvalidContentError ? invalidContent(...error.fieldErrors, ...unknownErrors) : error;
    });
    if (unknownErrors.length > 0) throw invalidContent(...unknownErrors);
    return content;
  }
}
