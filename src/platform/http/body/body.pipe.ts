import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import { fieldError, invalidContent, InvalidContentError } from '../../base/errors/field-error';
import { readBody } from './read-body';
import { UnreadBody } from './unread-body';
import { withoutRepeated } from '../fields/repeated-ids';
import {
  declaredValues,
  toFieldErrors,
  transformOptions,
  unknownFields,
  validatorOptions,
} from '../fields/validate-fields';

/**
 * Reads the body and validates it against the handler's DTO, in each attempt of a write. `@Body() body: UnreadBody` stays
 * unread. Throws the errors of `readBody`, or one per field, unknown fields last (contract §2).
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
    if (type !== 'body' || metatype === UnreadBody) return value;
    if (!(value instanceof UnreadBody)) throw new Error('The body has already been read, or the method takes none.');
    return this.readAs(metatype as new () => object, value);
  }

  private async readAs<T extends object>(dto: new () => T, body: UnreadBody): Promise<T> {
    const members = withoutRepeated(dto, await readBody(body), body);
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
