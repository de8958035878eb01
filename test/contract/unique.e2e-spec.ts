import type { Model } from 'mongoose';
import { apiErrors, type ErrorEntry } from '../../src/platform/base/errors/api-error';
import { optionsOf } from '../../src/platform/records/schema/field-options';
import type { ApiResponse } from '../support/client';
import { expectOutcome } from '../support/expect-error';
import { meanwhile, MOMENTS } from '../support/meanwhile';
import { created, unique } from '../support/records';
import { operations, sceneOf, scenes } from '../support/scenes';
import { useService } from '../support/service';
import { Stage } from '../support/stage';

const service = useService();

/** Resources with a collection and a POST. */
const resources = [...scenes]
  .filter(([, { stored, body }]) => body && !stored.includes('.'))
  .map(([resource]) => resource);

/** The request fields of a unique index: `name` for `nameKey`. Slugs are chosen by the service. */
function fieldsOf({ schema }: Model<unknown>): string[][] {
  const withKey = (key: string) =>
    Object.keys(schema.paths).find((name) => optionsOf(schema.path(name)).keyField === key);
  const indexes = schema.indexes().flatMap(([keys, options]) => (options.unique ? [Object.keys(keys)] : []));
  return indexes.filter(([first]) => first !== 'slugs.text').map((keys) => keys.map((key) => withKey(key) ?? key));
}

/** The texts that are unique, with the error for one that is taken. */
const textsOf = (resource: string) => {
  const { schema } = service.model(sceneOf(resource).stored);
  return Object.keys(schema.paths).flatMap((field) => {
    const { keyField, taken, default: missing } = optionsOf(schema.path(field));
    return keyField && taken ? [{ field, taken, isOptional: missing === null }] : [];
  });
};

const textFor = (field: string): string => (field === 'email' ? `${unique()}@n.example` : `unique-${unique()}`);
const isReplaced = (resource: string): boolean => operations.some(({ title }) => title === `PUT /${resource}/:id`);

/** What is unique in Organizations and APIs leads to the record; what a User is found by must not lead to an account. */
function expectHolder({ body, headers }: ApiResponse, location: string): void {
  const isShown = Object.values<ErrorEntry>({ ...apiErrors }).some(
    ({ code, holderAt }) => code === body.code && holderAt,
  );
  expect({ code: body.code as number, location: headers.location }).toEqual({
    code: body.code as number,
    location: isShown ? location : undefined,
  });
}

it.each(resources)('a unique value of %s is refused to another record, in a POST and in a PUT', async (resource) => {
  const stage = await Stage.of(service);
  // Only an Admin sets an externalId of Users and Organizations.
  const by = await stage.callerOf(resource);
  const model = service.model<unknown>(scenes.get(resource)!.stored);
  const refused = [];
  for (const fields of fieldsOf(model)) {
    const [field] = fields.filter((name) => optionsOf(model.schema.path(name)).keyField);
    const own = field ? { [field]: textFor(field) } : {};
    const record = created(await (await stage.post(resource, own, by))());
    const taken = field ? { [field]: record[field] as unknown } : sceneOf(resource).again?.(record);
    const posted = await (await stage.post(resource, taken, by))();
    refused.push({ fields, status: posted.status, code: posted.body.code });
    expectHolder(posted, `/${resource}/${record._id}`);
    if (!field || !isReplaced(resource)) continue;
    const other = created(await (await stage.post(resource, {}, by))());
    const put = await by.put(`/${resource}/${other._id}`, { ...other, ...taken });
    expect({ fields, code: put.body.code }).toEqual({ fields, code: posted.body.code });
    expectHolder(put, `/${resource}/${record._id}`);
  }
  const conflicts = refused.map(({ fields }) => ({ fields, status: 409, code: expect.any(Number) }));
  expect(refused).toEqual(conflicts);
  const { code } = apiErrors.concurrentChange;
  const unclaimed = refused
    .filter((one) => one.code === code)
    .map(({ fields }) => `${model.modelName}: ${fields.join()}`);
  expect({ unclaimed, declareIt: `in the schema in src/registry/${resource}` }).toMatchObject({ unclaimed: [] });
});

it.each(resources)(
  'what was unique in %s is free once its record has another value or none, or is deleted',
  async (resource) => {
    const stage = await Stage.of(service);
    const by = await stage.callerOf(resource);
    for (const { field, isOptional } of textsOf(resource)) {
      const own = { [field]: textFor(field) };
      const post = async () => created(await (await stage.post(resource, own, by))());
      const others = [textFor(field), ...(isOptional ? [null] : [])];
      for (const other of isReplaced(resource) ? others : []) {
        const record = await post();
        expectOutcome(await by.put(`/${resource}/${record._id}`, { ...record, [field]: other }), 200);
      }
      const { _id } = await post();
      expectOutcome(await by.delete(`/${resource}/${_id}`), 204);
      await post();
    }
  },
);

describe.each(MOMENTS)('%s', (moment) => {
  it.each(resources)('what another record gets, and is unique in %s, is refused', async (resource) => {
    const stage = await Stage.of(service);
    const by = await stage.callerOf(resource);
    for (const { field, taken } of textsOf(resource)) {
      const other = created(await (await stage.post(resource, {}, by))());
      const post = (own: object) => stage.post(resource, own, by);
      const put = (own: object) => () => by.put(`/${resource}/${other._id}`, { ...other, ...own });
      for (const prepare of isReplaced(resource) ? [post, put] : [post]) {
        const own = { [field]: textFor(field) };
        const [take, send] = [await post(own), await prepare(own)];
        expectOutcome(await meanwhile(service, moment, take, send), taken);
        expect(await service.model(sceneOf(resource).stored).countDocuments(own)).toBe(1);
      }
    }
  });
});
