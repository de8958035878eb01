/** The values at a path of a record; those in a list one by one: `managers._id`. */
export function valuesAt(record: object, path: string): unknown[] {
  const at = (value: unknown, name: string): unknown => (value as Record<string, unknown> | null | undefined)?.[name];
  return path.split('.').reduce<unknown[]>((all, name) => all.flatMap((value) => at(value, name)), [record]);
}
