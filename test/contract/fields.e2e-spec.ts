import { fieldErrors } from '../../src/platform/base/errors/field-error';
import { createApi } from '../registry/apis/api-records';
import type { Client } from '../support/client';
import { expectFieldErrors } from '../support/expect-error';
import { created, createOrganization, NOTHING } from '../support/records';
import { useService } from '../support/service';
import { bounds, Case } from './bounds';

const service = useService();
let admin: Client;
const paths: Partial<Record<string, string>> = {};
beforeAll(async () => {
  admin = service.admin;
  const { _id } = await createOrganization(admin);
  const [api, user] = [await createApi(admin, _id), await service.account()];
  Object.assign(paths, {
    organizations: `/organizations/${_id}`,
    apis: `/apis/${api._id}`,
    consumers: `/apis/${api._id}/consumers/${_id}`,
    users: `/users/${user.id}`,
  });
  created(await admin.post(collectionOf('consumers'), { organizationId: _id }));
});

const bases: Readonly<Record<string, object>> = {
  organizations: { name: 'Nets', url: 'https://nets.example' },
  apis: { name: 'Nets', url: 'https://nets.example', definitionUrl: null, definitionType: 'wsdl' },
  consumers: {},
  users: { username: 'ada', companyName: 'Engines', email: 'ada@engines.example' },
};

const collectionOf = (resource: string): string =>
  ({ apis: `${paths.organizations}/apis`, consumers: `${paths.apis}/consumers` })[resource] ?? `/${resource}`;

/** What only a POST takes, and requires. */
const required: Readonly<Record<string, object>> = {
  consumers: { organizationId: NOTHING },
  users: { password: 'a long passphrase' },
};

/**
 * Outcome of one value: the field errors of PUT, or what the record shows then. A value that PUT refuses is refused
 * by POST too, and the ETag changes when the record does.
 */
async function outcome(resource: string, field: string, { value }: Case): Promise<unknown> {
  const path = paths[resource] ?? '';
  const before = await admin.get(path);
  const response = await admin.put(path, { ...bases[resource], [field]: value });
  const after = await admin.get(path);
  const isSame = JSON.stringify(after.body) === JSON.stringify(before.body);
  expect({ value, isSame: after.headers.etag === before.headers.etag }).toEqual({ value, isSame });
  if (response.status === 200) {
    expect(after.body).toEqual(response.body.data);
    return { shown: response.body.data[field] };
  }
  expect(after.body).toEqual(before.body);
  const posted = await admin.post(collectionOf(resource), {
    ...required[resource],
    ...bases[resource],
    [field]: value,
  });
  expect(posted.body).toEqual(response.body);
  return (response.body.message as { code: number; title: string }[]).map(({ code, title }) => ({ code, title }));
}

function expected(field: string, { value, error, at = '', ...rest }: Case): unknown {
  if (error) return [{ code: fieldErrors[error].code, title: field + at }];
  return { shown: 'shown' in rest ? rest.shown : value };
}

describe.each(Object.entries(bounds))(
  'a field of %s follows its rules, at their bounds (contract §3)',
  (resource, fields) => {
    it.each(Object.entries(fields))('%s', async (field, cases) => {
      const found: unknown[] = [];
      for (const one of cases) found.push({ value: one.value, outcome: await outcome(resource, field, one) });
      expect(found).toEqual(cases.map((one) => ({ value: one.value, outcome: expected(field, one) })));
    });
  },
);

it('every field error of the table is in the response to some request', () => {
  const inBounds = Object.values(bounds).flatMap((fields) => Object.values(fields).flat());
  // The third is proven below, the others in test/registry/files and test/registry/users/put.
  const proven = [...inBounds.map(({ error }) => error), 'outOfRange', 'wrongCurrentPassword', 'unknownField'];
  expect(Object.keys(fieldErrors).filter((name) => !proven.includes(name))).toEqual([]);
});

describe('a response names all errors of a body, in the model’s order, unknown fields last (contract §2)', () => {
  const ID = 'f'.repeat(24);

  it('of an Organization', async () => {
    const texts = { description: 1, url: 'x', name: ' ' };
    const ids = { organizationLogoFileId: 'x', featuredApiIds: [ID, ID] };
    const body = { zeal: 1, contactPhone: '1', ...ids, ...texts };
    for (const response of [await admin.post('/organizations', body), await admin.put(paths.organizations!, body)])
      expectFieldErrors(
        response,
        ['blank', 'name'],
        ['badFormat', 'url'],
        ['wrongType', 'description'],
        ['repeatedItem', 'featuredApiIds.1'],
        ['badFormat', 'organizationLogoFileId'],
        ['tooShort', 'contactPhone'],
        ['unknownField', 'zeal'],
      );
  });

  it('of an Organization: references are looked up, and Managers compared, only in a body without other errors', async () => {
    const names = { name: 'Nets', url: 'https://nets.example', featuredApiIds: [ID], organizationLogoFileId: ID };
    const wrong = ['featuredApiIds.0', 'organizationLogoFileId'].map((title) => ['namesNothing', title] as const);
    expectFieldErrors(await admin.put(paths.organizations!, names), ...wrong);
    const others = { ...names, managerIds: [ID] };
    expectFieldErrors(await admin.put(paths.organizations!, others), ['changedElsewhere', 'managerIds']);
    expectFieldErrors(await admin.put(paths.organizations!, { ...others, url: 'x' }), ['badFormat', 'url']);
  });

  it('of an Api', async () => {
    const texts = ['contactUrl', 'documentationUrl', 'isPublic', 'successorId', 'sunsetAt', 'lifecycleStatus', 'url'];
    const wrong = Object.fromEntries(texts.map((field) => [field, 'x']));
    const definition = { definitionUrl: 'https://nets.example' };
    const body = { more: 1, tags: ['x', 'X'], ...definition, ...wrong, version: 1, description: {} };
    for (const response of [await admin.post(collectionOf('apis'), body), await admin.put(paths.apis!, body)])
      expectFieldErrors(
        response,
        ['missing', 'name'],
        ['badFormat', 'url'],
        ['wrongType', 'description'],
        ['wrongType', 'version'],
        ['notOneOf', 'lifecycleStatus'],
        ['badFormat', 'sunsetAt'],
        ['badFormat', 'successorId'],
        ['wrongType', 'isPublic'],
        ['badFormat', 'documentationUrl'],
        ['badFormat', 'contactUrl'],
        ['missing', 'definitionType'],
        ['badFormat', 'tags.1'],
        ['unknownField', 'more'],
      );
  });

  it('of a Manager: one of the three, and each after the first is one too many', async () => {
    const path = `${paths.organizations}/managers`;
    const unknown = ['username', 'email', 'x'].map((title) => ['unknownField', title] as const);
    expectFieldErrors(await admin.post(path, {}), ['missing', 'userId']);
    expectFieldErrors(await admin.post(path, { email: 'a@b.example', username: 'a', userId: ID, x: 1 }), ...unknown);
    expectFieldErrors(await admin.post(path, { username: 'nobody' }), ['namesNothing', 'username']);
  });

  it('of a login and of a refresh', async () => {
    const { nobody } = service;
    expectFieldErrors(await nobody.post('/sessions', {}), ['missing', 'username'], ['missing', 'password']);
    const both = await nobody.post('/sessions', { username: 'a', email: 'b', password: 1 });
    expectFieldErrors(both, ['unknownField', 'email'], ['wrongType', 'password']);
    const refresh = await nobody.post('/tokens', { token: 'x' });
    expectFieldErrors(refresh, ['missing', 'refreshToken'], ['unknownField', 'token']);
  });
});

const named = (name: string): [resource: string, unique: object][] => [
  ['organizations', { name }],
  ['apis', { name }],
  ['users', { username: name, email: `${name}@engines.example`, password: 'a long passphrase' }],
];

/** The fields that a PUT without them keeps, by name (contract §3). */
const KEPT = ['isSuspended', 'suspendedAt', 'externalId', 'reviewedAt'];

it.each(named('replaced'))(
  'a PUT gives what it leaves out its default, but for what it keeps: %s',
  async (resource, unique) => {
    const required = { ...bases[resource], ...unique, password: undefined };
    const { data: fresh } = (await admin.post(collectionOf(resource), { ...required, ...unique })).body;
    const others = Object.entries(bounds[resource as keyof typeof bounds]).flatMap(([field, cases]) => {
      const set = cases.findLast(
        ({ value, ...rest }) => !('error' in rest || 'shown' in rest || value === fresh[field]),
      );
      return field in required || !set ? [] : [[field, set.value]];
    });
    const path = `/${resource}/${fresh._id}`;
    const { data: full } = (await admin.put(path, { ...Object.fromEntries(others), ...required })).body;
    expect(full).toMatchObject(Object.fromEntries(others));
    const kept = Object.fromEntries(KEPT.filter((field) => field in full).map((field) => [field, full[field]]));
    const { data: replaced } = (await admin.put(path, required)).body;
    expect(replaced).toEqual({ ...fresh, ...kept, updatedAt: replaced.updatedAt });
  },
);

it.each(named('another'))('POST of what GET gave ignores what only the service sets: %s', async (resource, unique) => {
  const { body: given } = await admin.get(paths[resource] ?? '');
  const { status, body } = await admin.post(collectionOf(resource), { ...given, ...unique });
  expect(status).toBe(201);
  for (const field of ['_id', 'slug', 'createdAt'])
    if (field in given) expect(body.data[field]).not.toEqual(given[field]);
});
