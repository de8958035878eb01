import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { apiErrors } from '../../../../src/platform/base/errors/api-error';
import { declaredOperations, nameOf, takesCredential } from '../../../support/operations';
import type { Client, Method } from '../../../support/client';
import type { Json } from '../../../support/json';
import { useService } from '../../../support/service';

const ROOT = join(__dirname, '../../../..');
const document: Json = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'));

const schemas: Record<string, Json> = document.components.schemas;
/** The operations of the document, with the names of `declared`. */
const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
  Object.entries<Json>(item).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase() as Method,
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
  })),
);
const declared = declaredOperations();

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(document, 'openapi');

describe('openapi.json', () => {
  const service = useService();

  it('lists the operations of the service, and no others', () => {
    expect(operations.map(nameOf).sort()).toEqual(declared.map(nameOf).sort());
  });

  it('asks for a login where the access rule does', () => {
    const withoutLogin = declared.filter(({ rule }) => rule === 'anyone').map(nameOf);
    const withLink = declared.filter(takesCredential).map(nameOf);
    const schemeOf = (name: string): object => (withLink.includes(name) ? { link: [] } : { bearer: [] });
    for (const operation of operations) {
      const name = nameOf(operation);
      expect(operation.security).toEqual(withoutLogin.includes(name) ? [] : [schemeOf(name)]);
    }
  });

  it('describes the tags of its operations in src/registry/description.ts, and no others', () => {
    const used = new Set(operations.flatMap(({ tags }) => tags));
    expect(document.tags.map(({ name }: Json) => name).sort()).toEqual([...used].sort());
  });

  it('lists the responses of each operation, and one default for errors of any request', () => {
    for (const { method, path, parameters, responses, requestBody } of operations) {
      const statuses = Object.keys(responses);
      expect(responses.default).toEqual({ $ref: '#/components/responses/AnyError' });
      expect(statuses.includes('404')).toBe(/:|current$/.test(path));
      for (const status of ['413', '415']) expect(statuses.includes(status)).toBe(requestBody !== undefined);
      const hasQuery = parameters.some((parameter: Json) => parameter.in === 'query');
      expect(statuses.includes('400')).toBe(hasQuery || requestBody !== undefined);
      const takesIfMatch = /^(?:PUT|DELETE)$/.test(method)
        ? !/^\/sessions|\/(api-keys|invitations)/.test(path)
        : statuses.includes('304') && !parameters.some(({ name }: Json) => name === 'skip');
      expect(statuses.includes('412')).toBe(takesIfMatch);
      for (const status of ['408', '414', '417', '429', '431', '500', '503']) expect(statuses).not.toContain(status);
    }
  });

  it('has examples of bodies that are valid, and work in this order, sent by the least account that may', async () => {
    const someone = await service.registered();
    const created = new Map<string, string>();
    // The document cannot contain the password or refresh token of an account that exists.
    const own = {
      '/sessions': { username: someone.user.username, password: someone.password },
      '/tokens': { refreshToken: someone.refreshToken },
      // Of a record that was created before.
      get '/apis/:id/consumers'() {
        return { organizationId: created.get('organizations') };
      },
    };
    const tagged: string[] = document.tags.map(({ name }: Json) => name);
    for (const operation of operations) {
      const { method, path, requestBody, tags } = operation;
      const [tag] = tags;
      if (!tagged.includes(tag))
        throw new Error(
          `The tag ${tag} has no description: add it to src/registry/description.ts, and its module to src/registry/resources.ts.`,
        );
      const json = requestBody?.content['application/json'];
      if (!json) continue;
      const validate = ajv.compile({ $ref: `openapi${json.schema.$ref}` });
      expect([path, validate(json.example), validate.errors]).toEqual([path, true, null]);
      const payload = { ...(json.example as object), ...own[path as keyof typeof own] };
      const filledPath = path.replaceAll(/([\w-]+)\/:\w+/g, (_: string, noun: string) => {
        const id = created.get(noun);
        if (!id) throw new Error(`${path} comes before ${noun}: move its module down in src/registry/resources.ts.`);
        return `${noun}/${id}`;
      });
      const { rule } = declared.find((one) => nameOf(one) === nameOf(operation))!;
      const callers: Partial<Record<typeof rule, () => Client | Promise<Client>>> = {
        anyone: () => service.nobody,
        ...{ createUser: () => service.admin, admin: () => service.admin, invite: () => service.admin },
        link: () => someone.with(created.get('invitation')!),
        // The User of the example, who has its password.
        self: () => service.logIn(document.paths['/users'].post.requestBody.content['application/json'].example),
      };
      const caller = await (callers[rule]?.() ?? someone);
      const { status, body, text } = await caller.send({ method, path: filledPath, payload });
      expect([method, path, status, text]).toEqual([method, path, method === 'PUT' ? 200 : 201, text]);
      if (method === 'POST') created.set(path.split('/').at(-1), body.data._id);
      if (path.endsWith('/invitations')) created.set('invitation', body.data.token);
    }
  });

  it('requires every body, except where the token or the path is enough', () => {
    const optional = operations.filter(({ requestBody }) => requestBody && requestBody.required !== true);
    expect(optional.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /users',
      'POST /users/:id/password-links',
    ]);
  });

  it('has no example for optional parameters, or for a new password or role of a User', () => {
    for (const parameter of operations.flatMap(({ parameters }) => parameters))
      if (!parameter.required) expect(parameter).not.toHaveProperty('schema.example');
    const { example } = document.paths['/users/{id}'].put.requestBody.content['application/json'];
    for (const field of ['password', 'currentPassword', 'roles']) expect(example).not.toHaveProperty(field);
  });

  it('names requests …Input, which take no unknown fields, and lets responses get new fields', () => {
    for (const [name, schema] of Object.entries(schemas)) {
      expect([name, schema.additionalProperties]).toEqual([name, name.endsWith('Input') ? false : undefined]);
      expect(name).not.toMatch(/Dto$/);
    }
    const { content } = document.paths['/organizations'].get.responses['200'];
    expect(content['application/json'].schema).toEqual({ $ref: '#/components/schemas/OrganizationList' });
  });

  it('says how many items a list of a request can have', () => {
    const lists = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries<Json>(name.endsWith('Input') ? properties : {})
        .filter(
          ([, { type, $ref }]) => [type].flat().includes('array') || schemas[$ref?.split('/').at(-1)]?.type === 'array',
        )
        .map(([field, { maxItems }]): [string, unknown] => [`${name}.${field}`, maxItems]),
    );
    expect(lists.filter(([, maxItems]) => maxItems === undefined)).toEqual([]);
    expect(Object.fromEntries(lists)).toMatchObject({
      ...{ 'OrganizationInput.managerIds': 500, 'OrganizationInput.featuredApiIds': 4 },
      ...{ 'CreateUserInput.roles': 1, 'UpdateUserInput.roles': 1 },
    });
  });

  it('lists every error code that an operation can return', () => {
    const text = JSON.stringify(document.components.responses);
    const elsewhere = ['pathNotFound', 'methodNotAllowed'];
    const missing = Object.entries(apiErrors).flatMap(([name, { code }]) =>
      elsewhere.includes(name) || text.includes(`\`${code}\``)
        ? []
        : [
            `No operation lists ${name}: add it to the @Throws of a controller, or remove it from src/registry/errors.ts.`,
          ],
    );
    expect(missing).toEqual([]);
  });
});
