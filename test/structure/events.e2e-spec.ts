import { changedFieldsOf, fieldsWithValues } from '../support/event-fields';
import { useService } from '../support/service';

const service = useService();

test('the contract names the fields of which Events show both values: flags, those with fixed values, and those whose schema says so', () => {
  const shown = Object.values(service.connection.models).flatMap(({ modelName, schema }) =>
    changedFieldsOf(modelName).filter((field) => {
      const type = schema.path(field);
      const words = [type, type?.getEmbeddedSchemaType()].flatMap((one) => (one?.options.enum ?? []) as unknown[]);
      const isShown = type?.instance === 'Boolean' || words.length > 0 || type?.options.valuesInEvents;
      return schema.path('updatedAt') && isShown;
    }),
  );
  const known = fieldsWithValues();
  const missing = shown.filter((field) => !known.includes(field));
  const see = 'Add these to "`from` and `to` are given for" in docs/contract.md §3 Event, or remove others.';
  expect({ missing, known: known.toSorted(), see }).toEqual({
    missing: [],
    known: [...new Set(shown)].toSorted(),
    see,
  });
});
