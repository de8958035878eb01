/**
 * Lists of records that leave Events, the field of an Event with their id, and its kinds: a Manager changes its
 * Organization.
 *
 * @type {[list: string, id: string, kinds: string[]][]}
 */
const LISTS = [
  ['/users', 'resourceId', ['user']],
  ['/organizations', 'organizationId', ['organization', 'manager']],
  ['/apis', 'resourceId', ['api']],
];

/**
 * Compares the Events with the records: each record has one of each kind for its creation, and one for each change, which
 * raises its revision by one. `npm run check:data` finds those of records that are gone without a deletion.
 *
 * @param {import('./client.mjs').Client} client an Admin
 * @returns {Promise<string[]>} what does not fit
 */
export async function historyProblems(client) {
  const events = await readAll(client, '/events');
  const problems = [];
  for (const [list, id, kinds] of LISTS) {
    for (const { _id, etag } of await readAll(client, list)) {
      const own = events.filter((event) => event[id] === _id && kinds.includes(event.type.split('.')[0]));
      const creations = own.filter(({ type }) => type === `${kinds[0]}.created`);
      const revision = Number(etag.match(/-(\d+)"$/)[1]);
      if (creations.length === 1 && own.length === revision + kinds.length) continue;
      problems.push(`${list}/${_id} has revision ${revision} and ${own.length} Events`);
    }
  }
  return problems;
}

async function readAll(client, list) {
  const all = [];
  for (;;) {
    const after = all.length > 0 ? `&after=${all.at(-1)._id}` : '';
    const { status, body } = await client.get(`${list}?limit=100${after}`);
    if (status !== 200) throw new Error(`GET ${list}: ${status}`);
    all.push(...body.data);
    if (body.data.length < 100) return all;
  }
}
