import { ApiProperty } from '@nestjs/swagger';

const READ_ONLY = Symbol('read-only fields');

/** Fields that requests may repeat, with any value, so a client can PUT what GET returned (contract §1.5). */
export function ReadOnlyFields(...names: readonly string[]): ClassDecorator {
  return (dto) => {
    Reflect.defineMetadata(READ_ONLY, [...readOnlyFieldsOf(dto), ...names], dto);
    for (const name of names)
      ApiProperty({ required: false, type: Object, readOnly: true })(dto.prototype as object, name);
  };
}

export function readOnlyFieldsOf(dto: object): readonly string[] {
  return (Reflect.getMetadata(READ_ONLY, dto) ?? []) as readonly string[];
}
