import type { ApiResponse, Client } from '../support/client';
import { expectError } from '../support/expect-error';
import { createOrganization, idsOf, newUserBody } from '../support/records';
import { useService } from '../support/service';

const service = useService();
let admin: Client;
beforeAll(() => void (admin = service.admin));

const list = (path: string, parameter: string, text: string): Promise<ApiResponse> =>
  admin.get(`${path}?limit=100&${parameter}=${encodeURIComponent(text)}`);

describe('an account (contract §1.9)', () => {
  const [unicode, ascii] = ['x@b\u00fccher.example', 'X@xn--bcher-kva.EXAMPLE'];

  it.each([
    ['the domain as letters', unicode, ascii],
    ['the domain in ASCII', ascii.replace('X', 'y'), unicode.replace('x', 'y')],
  ])('that was created with %s is found by both spellings, and is one', async (_, created, other) => {
    const body = newUserBody({ email: created });
    const { data } = (await admin.post('/users', body)).body;
    expect(data.email).toBe(created);
    expectError(await admin.post('/users', newUserBody({ email: other })), 'emailTaken');
    for (const email of [created, other]) {
      const login = await service.nobody.post('/sessions', { email, password: body.password });
      expect({ email, status: login.status }).toEqual({ email, status: 201 });
      expect(idsOf(await list('/users', 'email', email))).toEqual([data._id]);
      const { _id } = await createOrganization(admin);
      expect((await admin.post(`/organizations/${_id}/managers`, { email })).body.data).toMatchObject({
        _id: data._id,
      });
    }
  });

  it('is not found by a look-alike of its name', async () => {
    const [username, email] = ['minister', 'minister@roster.example'];
    const { password } = newUserBody();
    await admin.post('/users', newUserBody({ username, email }));
    const status = async (fields: object): Promise<number> =>
      (await service.nobody.post('/sessions', { ...fields, password })).status;
    expect(await status({ username: 'MINISTER' })).toBe(201);
    expect(await status({ username: 'm\u0131nister' })).toBe(401);
    expect(await status({ email: email.replace('i', '\u0131') })).toBe(401);
    expect((await admin.post('/users', newUserBody({ email: email.replace('i', '\u0131') }))).status).toBe(201);
  });
});

// All spellings: src/platform/base/text/case-fold.spec.ts.
describe('a name (contract §1.9)', () => {
  it.each([
    ['Weiß x', 'WEIẞ x'],
    ['Diyarbakır', 'DIYARBAKIR'],
    ['Foo\u2013Baz', 'Foo-Baz'],
    ['Ac\u200dme two', 'ＡＣＭＥ  two'],
  ])('%j is that of %j: refused for another record, and found by it in name and q', async (name, other) => {
    const { _id, slug } = await createOrganization(admin, { name });
    expectError(await admin.post('/organizations', { name: other }), 'organizationNameTaken');
    for (const text of [name, other]) {
      expect(idsOf(await list('/organizations', 'name', text))).toEqual([_id]);
      expect(idsOf(await list('/organizations', 'q', text.normalize('NFD')))).toEqual([_id]);
    }
    const { data } = (await admin.put(`/organizations/${_id}`, { name: other })).body;
    expect(data.slug).toBe(slug);
  });
});

describe('q (contract §2)', () => {
  it.each(['\u200b', '\u2800', ' \u00ad', '\u3164\u200d'])('finds nothing if nothing is left of it: %j', async (q) => {
    expect(idsOf(await list('/organizations', 'q', q))).toEqual([]);
    const { _id } = await createOrganization(admin);
    expect(idsOf(await list(`/organizations/${_id}/managers`, 'q', q))).toEqual([]);
    expect((await list('/organizations', 'q', ' ')).body.data.length).toBeGreaterThan(0);
  });

  it('is not trimmed, and finds a text that is spread over lines', async () => {
    const { _id } = await createOrganization(admin, { description: 'knots\n\tand bends' });
    expect(idsOf(await list('/organizations', 'q', 'knots and'))).toEqual([_id]);
    expect(idsOf(await list('/organizations', 'q', 'ots and\u00a0'))).toEqual([_id]);
    expect(idsOf(await list('/organizations', 'q', 'kn ots'))).toEqual([]);
    expect(idsOf(await list('/organizations', 'q', 'knots and bends '))).toEqual([]);
  });
});
