import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { METHODS, OpenApi } from '../../src/openapi/open-api';
import { ADMIN, Service, startService } from '../support/service';

const document = JSON.parse(readFileSync(join(__dirname, '../../openapi.json'), 'utf8')) as OpenApi;

const examples = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => {
    const example = item[method]?.requestBody?.content['application/json']?.example as object | undefined;
    return example ? [{ method, path, example }] : [];
  }),
);

describe('examples of request bodies', () => {
  let service: Service;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('work in an empty registry, sent by an Admin in the order of the document', async () => {
    const created = new Map<string, string>();
    const { refreshToken } = service.admin;
    for (const { method, path, example } of examples) {
      // The document cannot contain the Admin's password or refresh token.
      const own = { '/sessions': { username: ADMIN.username, password: ADMIN.password }, '/tokens': { refreshToken } };
      const payload = { ...example, ...own[path as keyof typeof own] };
      const filledPath = path.replaceAll(/(\w+)\/\{\w+\}/g, (_, noun: string) => `${noun}/${created.get(noun)}`);
      const verb = method === 'put' ? 'PUT' : 'POST';
      const { status, body, text } = await service.admin.send({ method: verb, path: filledPath, payload });
      expect([verb, path, status, text]).toEqual([verb, path, verb === 'PUT' ? 200 : 201, text]);
      if (verb === 'POST') created.set(path.split('/').at(-1)!, body.data._id);
    }
    expect([...created.keys()]).toEqual(['sessions', 'tokens', 'users', 'organizations', 'managers', 'apis']);
  });
});
