import { visibleText } from '../../platform/base/text/text';
import type { AnySchema } from '../../platform/records/driver/any-model';
import { derivedFields } from '../../platform/records/schema/derived-fields';
import type { Slug } from '../../platform/records/schema/slug.schema';
import { slugBase, slugText } from '../../platform/records/schema/slug-text';
import { Check, Stored } from './finding';

/** Checks the fields that are derived from others: unique keys, and the text that `q` searches. */
export function derivedCheck(schema: AnySchema): Check {
  return () => (record) =>
    Object.entries(derivedFields(schema, record))
      .filter(([name, value]) => JSON.stringify(record[name]) !== JSON.stringify(value))
      .map(([name]) => `${name} is not what the other fields give`);
}

/** Checks slugs: they are made from the name, and the current one is in the list that finds the record. */
export const slugCheck: Check = () => (record) => {
  const { name, slug, slugs } = record as Stored & Partial<{ name: string; slug: Slug; slugs: Slug[] }>;
  if (!slug || !slugs || typeof name !== 'string') return ['it has no slug or no name'];
  const problems: string[] = [];
  // A name with nothing that can be shown in ASCII has another base.
  if (slugBase(name, slug.base) !== slug.base) {
    problems.push(`the slug ${slug.text} does not fit the name ${visibleText(JSON.stringify(name))}`);
  }
  const wrong = [slug, ...slugs].find(({ text, base, index }) => text !== slugText(base, index));
  if (wrong) {
    problems.push(`the slug ${wrong.text} does not fit its base ${wrong.base} and index ${wrong.index}`);
  }
  if (!slugs.some(({ text }) => text === slug.text)) {
    problems.push(`the slug ${slug.text} does not find the record`);
  }
  return problems;
};
