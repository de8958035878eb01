/** The records of each resource that leaves Events. */
const LISTS = { user: '/users', organization: '/organizations', api: '/apis' };

/** What raises the revision of an Organization: its first Manager comes with it. */
const ORGANIZATION_CHANGES = ['organization.updated', 'manager.created', 'manager.deleted'];

/**
 * Compares the Events with the records: no Event without its write, and no write without its Event. A record's revision
 * rises by one with each change, so it must have as many Events.
 *
 * @param {import('./client.mjs').Client} client an Admin
 * @returns {Promise<string[]>} what does not fit
 */
export async function historyProblems(client) {
  const events = await readAll(client, '/events');
  const problems = [];
  for (const [resource, list] of Object.entries(LISTS)) {
    const records = await readAll(client, list);
    const ids = new Set(records.map(({ _id }) => _id));
    for (const { _id } of records) {
      const { headers } = await client.get(`${list}/${_id}`);
      const revision = Number(headers.etag.match(/-(\d+)"$/)[1]);
      const changes = changesOf(resource, events, _id);
      if (changes !== revision) problems.push(`${list}/${_id} has revision ${revision} and ${changes} Events`);
    }
    problems.push(...unexplained(resource, events, ids));
  }
  return problems;
}

function changesOf(resource, events, _id) {
  if (resource !== 'organization') {
    return events.filter(({ type, resourceId }) => resourceId === _id && type === `${resource}.updated`).length;
  }
  const own = events.filter(
    ({ type, organizationId }) => organizationId === _id && ORGANIZATION_CHANGES.includes(type),
  );
  return own.length - 1;
}

/** Each record has one `created`; one that is gone has a `deleted`, or its Organization has one. */
function unexplained(resource, events, ids) {
  const idsOf = (type) => events.filter((event) => event.type === type).map(({ resourceId }) => resourceId);
  const [created, deleted] = [idsOf(`${resource}.created`), new Set(idsOf(`${resource}.deleted`))];
  const goneWith = new Set(idsOf('organization.deleted'));
  const organizationOf = new Map(events.map(({ resourceId, organizationId }) => [resourceId, organizationId]));
  const isGone = (id) => deleted.has(id) || (resource === 'api' && goneWith.has(organizationOf.get(id)));
  return [
    ...[...ids]
      .filter((id) => created.filter((one) => one === id).length !== 1)
      .map((id) => `${resource} ${id}: no single created`),
    ...created
      .filter((id) => ids.has(id) === isGone(id))
      .map((id) => `${resource} ${id}: exists ${ids.has(id)}, deleted ${isGone(id)}`),
  ];
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
