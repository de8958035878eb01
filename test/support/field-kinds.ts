import { fieldErrors, type FieldErrorName } from '../../src/platform/base/errors/field-error';
import { validateFields } from '../../src/platform/http/fields/validate-fields';

/** A kind of field: what it accepts and stores; what it refuses, with the error, its detail and the index of the item. */
export interface FieldKind {
  kind: string;
  decorator: () => PropertyDecorator;
  /** Its schema in the OpenAPI document. */
  schema: object;
  /** The stored value is the one that is sent, unless it is given. */
  accepted: [sent: unknown, stored?: unknown][];
  refused: [sent: unknown, error: FieldErrorName, detail?: string, item?: number][];
}

/** Several values that are refused with the same error. */
export function each(sent: readonly unknown[], error: FieldErrorName, detail?: string): FieldKind['refused'] {
  return sent.map((value) => [value, error, detail]);
}

/** Validates a DTO with one field, which is named `field`. */
export function send(decorator: () => PropertyDecorator, values: object): { value: object; fieldErrors: unknown[] } {
  class Dto {}
  decorator()(Dto.prototype, 'field');
  const result = validateFields(Dto, values);
  return { ...result, value: { ...result.value } };
}

function schemaOf(decorator: () => PropertyDecorator): unknown {
  class Dto {}
  decorator()(Dto.prototype, 'field');
  return Reflect.getMetadata('swagger/apiModelProperties', Dto.prototype, 'field');
}

/** Tests kinds of fields, each as its row says. */
export function describeFields(kinds: readonly FieldKind[]): void {
  const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 80) ?? 'nothing';

  describe.each(kinds)('$kind', ({ decorator, schema, accepted, refused }) => {
    it('documents itself', () => expect(schemaOf(decorator)).toEqual({ isArray: false, ...schema }));

    it.each(accepted.map((row) => ({ row, shown: shown(row[0]) })))('accepts $shown', ({ row }) => {
      const [sent, stored] = row.length > 1 ? row : [row[0], row[0]];
      const value = stored === undefined ? {} : { field: stored };
      expect(send(decorator, { field: sent })).toStrictEqual({ value, fieldErrors: [] });
    });

    it.each(refused.map((row) => ({ row, shown: shown(row[0]) })))('refuses $shown', ({ row }) => {
      const [sent, error, detail, item] = row;
      const title = item === undefined ? 'field' : `field.${item}`;
      const expected = { code: fieldErrors[error].code, title, detail: detail ?? (expect.any(String) as string) };
      expect(send(decorator, { field: sent }).fieldErrors).toEqual([expected]);
    });
  });
}
