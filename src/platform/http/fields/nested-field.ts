import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsObject, ValidateIf, ValidateNested } from 'class-validator';
import { field, type Presence, reports } from './field';

const NESTED = Symbol('DTO of a nested field');

/** An object with the fields of another DTO. Its field errors have the names of both: `headquarters.city`. */
export function Nested<T extends object>(dto: new () => T, presence: Presence<T> = {}): PropertyDecorator {
  const isSent = ValidateIf((_, value) => value !== null);
  const validators = [isSent, IsObject(reports('wrongType', 'must be an object')), ValidateNested()];
  return applyDecorators(
    Reflect.metadata(NESTED, dto),
    Type(() => dto),
    field({ presence, validators, schema: { type: () => dto } }),
  );
}

export function nestedDtoOf(dto: new () => object, name: string): (new () => object) | undefined {
  return Reflect.getMetadata(NESTED, dto.prototype as object, name) as (new () => object) | undefined;
}
