/** Keywords whose values only a person can compare. A client does not check most of them in a response. */
const UNDECIDED = [
  'default',
  'pattern',
  'format',
  'multipleOf',
  'not',
  'if',
  'then',
  'else',
  'prefixItems',
  'patternProperties',
];
/** Limits that get stricter when they rise, and when they fall. */
const MINIMA = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const MAXIMA = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];

/**
 * Compares two JSON Schemas. What clients send must stay valid; what they receive must stay what they know.
 *
 * @param {string} where names the part of the document
 * @param {object | undefined} released
 * @param {object | undefined} current
 * @param {'request' | 'response' | 'error'} direction
 * @param {import('./changes.mjs').Changes} changes
 * @param {string[]} [open] references that are being compared, because schemas can contain themselves
 */
export function compareSchemas(where, released, current, direction, changes, open = []) {
  if (released?.$ref && open.includes(released.$ref)) return;
  const inside = released?.$ref ? [...open, released.$ref] : open;
  const [before, after] = [changes.before(released) ?? {}, changes.after(current) ?? {}];
  const next = (part, one, other) => compareSchemas(`${where}${part}`, one, other, direction, changes, inside);
  compareTypes(where, before, after, direction, changes);
  // New error codes may be added (contract §7).
  if (direction !== 'error') compareValues(where, before, after, direction, changes);
  if (direction === 'request') compareLimits(where, before, after, changes);
  compareFields(where, before, after, direction, changes, next);
  compareUndecided(where, before, after, changes);
  if (before.items || after.items) next('[]', before.items, after.items);
  compareLists(`${where}: allOf`, before.allOf, after.allOf, changes, next);
  compareLists(`${where}: the alternatives`, alternativesOf(before), alternativesOf(after), changes, next);
}

/** In a request, the old types must still be accepted; in a response, only old ones may occur. */
function compareTypes(where, before, after, direction, changes) {
  const [wanted, allowed] = direction === 'request' ? [before, after] : [after, before];
  const known = typesOf(allowed);
  if (known.length === 0) return;
  const types = typesOf(wanted);
  const other = types.filter((type) => !known.includes(type) && !(type === 'integer' && known.includes('number')));
  if (types.length === 0) changes.breaking(`${where} ${direction === 'request' ? 'must be' : 'may not be'} ${known}`);
  for (const type of other)
    changes.breaking(`${where} ${direction === 'request' ? 'can no longer' : 'can'} be ${type}`);
}

function typesOf({ type = [] }) {
  return [type].flat();
}

function compareValues(where, before, after, direction, changes) {
  const [wanted, allowed] = direction === 'request' ? [before, after] : [after, before];
  const known = valuesOf(allowed);
  if (!known) return;
  const values = valuesOf(wanted);
  if (!values)
    return changes.breaking(`${where} ${direction === 'request' ? 'must be' : 'can be other than'} ${known}`);
  for (const value of values)
    if (!known.includes(value))
      changes.breaking(`${where} ${direction === 'request' ? 'can no longer' : 'can'} be ${value}`);
  if (direction === 'request')
    for (const value of known) if (!values.includes(value)) changes.added(`${where}: ${value}`);
}

/** @returns {string[] | undefined} as JSON */
function valuesOf(schema) {
  const values = 'const' in schema ? [schema.const] : schema.enum;
  return values?.map((value) => JSON.stringify(value));
}

function compareLimits(where, before, after, changes) {
  const isStricter = (keyword, sign) =>
    after[keyword] !== undefined && !(sign * before[keyword] >= sign * after[keyword]);
  const stricter = [
    ...MINIMA.filter((keyword) => isStricter(keyword, 1)),
    ...MAXIMA.filter((keyword) => isStricter(keyword, -1)),
  ];
  for (const keyword of stricter) changes.breaking(`${where}: ${keyword} is ${after[keyword]}`);
  if (after.uniqueItems && !before.uniqueItems) changes.breaking(`${where} must not contain an item twice`);
}

function compareFields(where, before, after, direction, changes, next) {
  const [old, now] = [before.properties ?? {}, after.properties ?? {}];
  const isRequest = direction === 'request';
  const isClosed = after.additionalProperties === false;
  if (isRequest && isClosed && before.additionalProperties !== false)
    changes.breaking(`${where} must not have unknown fields`);
  for (const [field, schema] of Object.entries(old)) {
    if (now[field]) next(`.${field}`, schema, now[field]);
    else if (!isRequest) changes.breaking(`${where}.${field} is gone`);
    else if (isClosed) changes.breaking(`${where}.${field} is no longer accepted`);
  }
  for (const field of Object.keys(now)) if (!old[field]) changes.added(`${where}.${field}`);
  const [required, unless] = isRequest ? [after.required, before.required] : [before.required, after.required];
  for (const field of required ?? []) {
    if (unless?.includes(field) || (!isRequest && !now[field])) continue;
    changes.breaking(`${where}.${field} ${isRequest ? 'is required' : 'can be missing'}`);
  }
}

function compareUndecided(where, before, after, changes) {
  for (const keyword of UNDECIDED) {
    const [old, now] = [JSON.stringify(before[keyword]), JSON.stringify(after[keyword])];
    if (old !== now) changes.unsure(`${where}: ${keyword} was ${old ?? 'not set'} and is ${now ?? 'not set'}`);
  }
}

function alternativesOf({ oneOf, anyOf }) {
  return oneOf ?? anyOf;
}

/** One by one, in their order. */
function compareLists(where, before = [], after = [], changes, next) {
  if (before.length !== after.length) return changes.unsure(`${where} were ${before.length} and are ${after.length}`);
  before.forEach((schema, index) => next(`(${index + 1})`, schema, after[index]));
}
