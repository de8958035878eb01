import { ApiProperty } from '@nestjs/swagger';

const readOnly = new WeakMap<object, readonly string[]>();

/**
 * The fields that the service sends and does not take: a body may hold them, with any value, so that what GET gave can
 * be PUT back (contract §1.5). They are passed over. Stands on the body DTO; its base classes may name others.
 */
export function ReadOnlyFields(...names: readonly string[]): ClassDecorator {
  return (dto) => {
    readOnly.set(dto, names);
    // Any value; `readOnly: true` would tell clients that sending them fails.
    const schema = { required: false, type: Object, anyOf: [{}], description: 'Read-only: accepted and ignored.' };
    for (const name of names) ApiProperty(schema)(dto.prototype as object, name);
  };
}

/** The read-only fields of a DTO and of its base classes. */
export function readOnlyFieldsOf(dto: object): readonly string[] {
  const base: unknown = Object.getPrototypeOf(dto);
  const inherited = typeof base === 'function' ? readOnlyFieldsOf(base) : [];
  return [...inherited, ...(readOnly.get(dto) ?? [])];
}
