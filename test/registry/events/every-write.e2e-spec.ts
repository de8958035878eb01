import type { Types } from 'mongoose';
import type { EventDto } from '../../../src/registry/events/event.dto';
import { optionsOf } from '../../../src/platform/records/schema/field-options';
import type { ApiResponse } from '../../support/client';
import { expectOutcome } from '../../support/expect-error';
import { changedFieldsOf, fieldsWithValues } from '../../support/event-fields';
import { replacing, resourceOf, writing } from '../../support/scenes';
import { Service, useService } from '../../support/service';
import { Stage } from '../../support/stage';
import { writes } from '../../support/writes';

type Stored = Record<string, unknown> & { _id: unknown; organizationId?: Types.ObjectId };
type Contents = Awaited<ReturnType<Service['contents']>>;

const WITH_VALUES = fieldsWithValues();
const service = useService();

/** What leaves Events: the collection, the fields that requests may change, and the lists of embedded records. */
const records = () =>
  Object.values(service.connection.models)
    // Records without a time of their last change, such as Files, leave none.
    .filter(({ schema }) => schema.path('updatedAt'))
    .map(({ modelName, collection, schema }) => ({
      type: lowerFirst(modelName),
      collection: collection.name,
      fields: changedFieldsOf(modelName),
      idField: Object.keys(schema.paths).find((path) => optionsOf(schema.path(path)).shownAsId) ?? '_id',
      isSilent: optionsOf(schema.path('organizationId')).onDelete === 'remove',
      embedded: Object.values(schema.paths).flatMap(({ path, options }) =>
        options.embeds ? [{ type: lowerFirst(options.embeds as string), path }] : [],
      ),
    }));

const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

const byId = (records: unknown[] = []): Map<string, Stored> =>
  new Map((records as Stored[]).map((record) => [String(record._id), record]));
const fieldOf = (record: Stored, name: string): unknown => record[name === 'password' ? 'passwordHash' : name] ?? null;

/**
 * The Events that the contract asks for, computed from everything that is stored before and after. The records of
 * a deleted Organization leave none, unless its schema says otherwise.
 */
function expectedEvents(before: Contents, after: Contents): object[] {
  return records().flatMap(({ type, collection, fields, embedded, idField, isSilent }) => {
    const [was, is] = [byId(before[collection]), byId(after[collection])];
    return [...new Set([...was.keys(), ...is.keys()])].flatMap((id) => {
      const [old, now] = [was.get(id), is.get(id)];
      const events: object[] = [];
      const resourceId = String((now ?? old!)[idField]);
      if (isSilent && !now && old!.organizationId && !byId(after.organizations).has(old!.organizationId.toHexString()))
        return [];
      if (!old || !now) events.push({ type: `${type}.${old ? 'deleted' : 'created'}`, resourceId, changes: [] });
      else events.push(...updated(type, resourceId, old, now, fields));
      for (const { type, path } of now ? embedded : []) events.push(...ofEmbedded(type, old?.[path], now?.[path]));
      return events;
    });
  });
}

function updated(type: string, resourceId: string, old: Stored, now: Stored, fields: readonly string[]): object[] {
  const changes = fields.flatMap((field) => {
    const [from, to] = [fieldOf(old, field), fieldOf(now, field)].map((value) => JSON.parse(JSON.stringify(value)));
    if (JSON.stringify(from) === JSON.stringify(to)) return [];
    return [{ field, ...(WITH_VALUES.includes(field) && { from, to }) }];
  });
  return changes.length > 0 ? [{ type: `${type}.updated`, resourceId, changes }] : [];
}

function ofEmbedded(type: string, before: unknown, after: unknown): object[] {
  const [was, is] = [byId(before as unknown[]), byId(after as unknown[])];
  const only = (kind: string, one: Map<string, Stored>, other: Map<string, Stored>): object[] =>
    [...one.keys()]
      .filter((id) => !other.has(id))
      .map((resourceId) => ({ type: `${type}.${kind}`, resourceId, changes: [] }));
  return [...only('deleted', was, is), ...only('created', is, was)];
}

/** The Events that work leaves, in any order. */
async function eventsOf(
  work: () => Promise<unknown>,
): Promise<{ stored: EventDto[]; before: Contents; after: Contents }> {
  const before = await service.contents();
  await work();
  const after = await service.contents();
  const known = byId(before.events);
  const stored = (after.events as EventDto[]).filter(({ _id }) => !known.has(String(_id)));
  return { stored, before, after };
}

it.each(writes)('$title leaves an Event for each record that it creates, changes or deletes', async ({ prepare }) => {
  const write = await prepare(service);
  let response: ApiResponse;
  const { stored, before, after } = await eventsOf(async () => (response = await write()));
  expect(response!.status).toBeLessThan(300);
  const shown = stored.map(({ type, resourceId, changes }) => ({ type, resourceId: String(resourceId), changes }));
  const expected = expectedEvents(before, after);
  expect(shown).toHaveLength(expected.length);
  expect(shown).toEqual(expect.arrayContaining(expected));
  expect(JSON.stringify(stored)).not.toMatch(/\$argon2|roster_/);
  expectNames(stored, response!);
});

/** The Events about a record name it as its response does: what responses don't show, Events don't tell either. */
function expectNames(events: readonly EventDto[], { body }: ApiResponse): void {
  const { _id, name, username } = body?.data ?? {};
  const about = events.filter(({ resourceId }) => String(resourceId) === _id);
  const see = 'Mark the name with `isName` in the schema in src/registry, and show it in the DTO.';
  for (const { type, resourceName } of about)
    expect({ type, resourceName, see }).toEqual({ type, resourceName: name ?? username ?? null, see });
}

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.of(service);
});

it.each(writing)('$title leaves no Event when it is refused', async (operation) => {
  // These have no ETag and need no body, so only others are refused.
  const caller = /^DELETE .*(sessions|api-keys|invitations)|password-links/.test(operation.title)
    ? await stage.stranger
    : undefined;
  const request = await stage.bare(operation, caller);
  const headers = { ...request.headers, 'if-match': '"another"' };
  const { stored } = await eventsOf(async () => {
    const { status } = await service.nobody.send({ ...request, headers, payload: {} });
    expect(status).toBeGreaterThanOrEqual(400);
  });
  expect(stored).toEqual([]);
});

it.each(replacing)('$title leaves no Event when it changes nothing', async (operation) => {
  const [{ path: url }, by] = [await stage.bare(operation), await stage.callerOf(resourceOf(operation))];
  const { body } = await by.get(url);
  const { stored } = await eventsOf(async () => expect((await by.put(url, body)).status).toBe(200));
  expect(stored).toEqual([]);
});

it('PUT /users/:id that takes the role of the last Admin, refused in its transaction, leaves nothing', async () => {
  const { admin } = service;
  await service.model('User').updateMany({ _id: { $ne: admin.id } }, { $set: { roles: [] } });
  const write = () => admin.put(`/users/${admin.id}`, admin.userBody({ roles: [] }));
  const { before, after } = await eventsOf(async () => expectOutcome(await write(), 'lastAdmin'));
  expect(after).toEqual(before);
});
