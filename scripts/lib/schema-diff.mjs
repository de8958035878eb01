/** Limits that get stricter when they rise (1), and when they fall (-1). */
const LIMITS = { minimum: 1, minLength: 1, minItems: 1, maximum: -1, maxLength: -1, maxItems: -1 };
/** What is compared by its meaning, or means nothing to a client. Any other keyword must be compared by hand. */
const DECIDED = new Set([
  ...['$ref', 'type', 'const', 'enum', 'items', 'properties', 'required', 'additionalProperties'],
  ...['title', 'description', 'examples', 'deprecated', 'x-read-only', ...Object.keys(LIMITS)],
]);

/**
 * Compares two JSON Schemas. What clients send must stay valid; what they receive must stay what they know.
 *
 * @param {string} where names the part of the document
 * @param {string[]} [open] references that are being compared, because schemas can contain themselves
 */
export function compareSchemas(where, released, current, direction, changes, open = []) {
  if (released?.$ref && open.includes(released.$ref)) return;
  const inside = released?.$ref ? [...open, released.$ref] : open;
  const [before, after] = [changes.before(released) ?? {}, changes.after(current) ?? {}];
  const next = (part, one, other) => compareSchemas(`${where}${part}`, one, other, direction, changes, inside);
  const isRequest = direction === 'request';
  // What a request said nothing about, the service ignores, or checks itself.
  if (isRequest && saysNothing(before)) {
    if (!saysNothing(after)) changes.unsure(`${where}: its values were not described and are`);
    return;
  }
  compareChoices(where, typesOf(before), typesOf(after), isRequest, changes);
  // New error codes may be added (contract §7).
  if (direction !== 'error') compareChoices(where, valuesOf(before), valuesOf(after), isRequest, changes);
  if (isRequest) compareLimits(where, before, after, changes);
  compareFields(where, before, after, isRequest, changes, next);
  for (const keyword of Object.keys({ ...before, ...after })) {
    if (DECIDED.has(keyword)) continue;
    const [old, now] = [JSON.stringify(before[keyword]), JSON.stringify(after[keyword])];
    if (old !== now) changes.unsure(`${where}: ${keyword} was ${old ?? 'not set'} and is ${now ?? 'not set'}`);
  }
  if (before.items || after.items) next('[]', before.items, after.items);
}

function saysNothing(schema) {
  return Object.keys(schema).every((keyword) => ['description', 'examples'].includes(keyword));
}

/** @returns {string[] | undefined} undefined if any type is allowed. Integers are numbers */
function typesOf({ type }) {
  const types = type && [type].flat();
  return types?.includes('number') ? [...types, 'integer'] : types;
}

/** @returns {string[] | undefined} as JSON; undefined if any value is allowed */
function valuesOf(schema) {
  const values = 'const' in schema ? [schema.const] : schema.enum;
  return values?.map((value) => JSON.stringify(value));
}

/** In a request, what was accepted must still be accepted; in a response, only what was known may occur. */
function compareChoices(where, before, after, isRequest, changes) {
  const [wanted, allowed] = isRequest ? [before, after] : [after, before];
  if (!allowed) return;
  if (!wanted) return changes.breaking(`${where} ${isRequest ? 'must be' : 'can be other than'} ${allowed}`);
  for (const choice of wanted)
    if (!allowed.includes(choice)) changes.breaking(`${where} ${isRequest ? 'can no longer' : 'can'} be ${choice}`);
  if (isRequest) for (const choice of allowed) if (!wanted.includes(choice)) changes.added(`${where}: ${choice}`);
}

function compareLimits(where, before, after, changes) {
  for (const [keyword, sign] of Object.entries(LIMITS)) {
    const [old, now] = [before[keyword], after[keyword]];
    if (now !== undefined && !(sign * old >= sign * now)) changes.breaking(`${where}: ${keyword} is ${now}`);
  }
}

function compareFields(where, before, after, isRequest, changes, next) {
  const [old, now] = [before.properties ?? {}, after.properties ?? {}];
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
