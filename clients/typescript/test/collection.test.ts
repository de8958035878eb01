import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RosterClient, type Schemas } from '@roster/client';
import { errorOf, failure, type Reply, Stub, success } from './stub.ts';

const stub = new Stub();
const wanted = { name: 'Nets', url: 'https://nets.example' };
const stored = {
  _id: 'a',
  ...wanted,
  description: 'Old.',
  managerIds: ['m'],
  etag: '"1"',
} as Schemas['OrganizationItem'];
const FIND = 'GET /organizations?name=Nets';
const POST = 'POST /organizations';
const PUT = 'PUT /organizations/a';

/** Responds in this order. */
function responding(...replies: Reply[]): RosterClient {
  stub.respond = () => replies.shift() ?? assert.fail('There is one request too many.');
  return new RosterClient({ ...stub, key: 'roster_key' });
}

const put = (record: object, ETag = '"2"'): Reply => ({ ...success(record), headers: { ETag } });

describe('createOrUpdate', () => {
  it('creates a record if none has the name', async () => {
    const saved = await responding(success([]), put(stored)).organizations.createOrUpdate(wanted);
    assert.deepEqual([saved.outcome, saved.data._id, saved.etag], ['created', 'a', '"2"']);
    assert.deepEqual(stub.requests, [FIND, POST]);
    assert.equal(stub.received[1]!.headers.authorization, 'Bearer roster_key');
  });

  it('finds a record by its externalId even with another name, and by its _id', async () => {
    const found = { ...stored, name: 'Ropes', externalId: 'crm 1' };
    const named = { ...wanted, externalId: 'crm 1' };
    assert.equal(
      (await responding(success([found]), put(stored)).organizations.createOrUpdate(named)).outcome,
      'updated',
    );
    assert.deepEqual(stub.requests, ['GET /organizations?externalId=crm%201', PUT]);
    const one: Reply = { body: { ...stored, etag: undefined }, headers: { ETag: '"1"' } };
    assert.equal((await responding(one).organizations.createOrUpdate({ ...wanted, _id: 'a' })).outcome, 'unchanged');
    assert.equal(stub.requests[2], 'GET /organizations/a');
  });

  it('gives an externalId to the record that has the name, unless that has another one', async () => {
    const named = { ...wanted, externalId: 'crm 1' };
    const without = success([{ ...stored, externalId: null }]);
    await responding(success([]), without, put(stored)).organizations.createOrUpdate(named);
    assert.equal(JSON.parse(stub.received[2]!.body).externalId, 'crm 1');
    const other = success([{ ...stored, externalId: 'crm 2' }]);
    await responding(success([]), other, put(stored)).organizations.createOrUpdate(named);
    const lookups = ['GET /organizations?externalId=crm%201', FIND];
    assert.deepEqual(stub.requests, [...lookups, PUT, ...lookups, POST]);
    await responding(other).organizations.createOrUpdate(wanted);
    assert.equal(stub.requests.at(-1), FIND);
  });

  it('changes what differs, and sends back the other fields with the ETag of the list', async () => {
    const changed = { ...wanted, url: 'https://new.example', description: undefined as never };
    const { outcome } = await responding(success([stored]), put(stored)).organizations.createOrUpdate(changed);
    assert.equal(outcome, 'updated');
    assert.deepEqual(stub.requests, [FIND, PUT]);
    assert.equal(stub.received[1]!.headers['if-match'], '"1"');
    assert.deepEqual(JSON.parse(stub.received[1]!.body), { ...stored, url: 'https://new.example' });
  });

  it('writes nothing if nothing differs as Roster stores it', async () => {
    const same = { ...wanted, name: ' Nets\u0085', description: 'e\u0301\r\n' };
    const roster = responding(success([{ ...stored, description: '\u00e9' }]));
    assert.equal((await roster.organizations.createOrUpdate(same)).outcome, 'unchanged');
    const api = { ...stored, organizationId: 'o', tags: ['fish', 'nets'] };
    const body = { ...wanted, organizationId: 'o', tags: ['nets', 'fish'] };
    assert.equal((await responding(success([api])).apis.createOrUpdate(body)).outcome, 'unchanged');
    assert.equal(stub.requests[1], 'GET /apis?organizationId=o&name=Nets');
  });

  it('does not take a field that the caller does not see for the wanted one', async () => {
    const seen = { _id: 'a', username: 'ada', companyName: 'Nets', etag: '"1"' };
    const { users } = responding(success([seen]), failure(403, 1200));
    const user = { username: 'ada', companyName: 'Nets', email: 'ada@nets.example', password: 'many busy hands' };
    assert.equal((await errorOf(users.createOrUpdate(user))).code, 1200);
    assert.deepEqual(JSON.parse(stub.received[1]!.body), { ...seen, email: user.email });
  });

  it('tells by the ETag that a PUT has changed nothing', async () => {
    const roster = responding(success([{ ...stored, contactName: null }]), put(stored, '"1"'));
    assert.equal((await roster.organizations.createOrUpdate({ ...wanted, contactName: '' })).outcome, 'unchanged');
    assert.deepEqual(stub.requests, [FIND, PUT]);
  });

  it('needs no GET for the item of a list, or where a list has none', async () => {
    const { organizations } = responding(put(stored), put(stored));
    await organizations.createOrUpdate({ ...wanted, description: 'New.' }, stored);
    await organizations.createOrUpdate(wanted, null);
    assert.deepEqual(stub.requests, [PUT, POST]);
  });

  for (const [what, refusal, known, request] of [
    ['someone else creates it', failure(409, 1501), null, POST],
    ['someone else changes it', failure(412, 1600), { ...stored, url: 'https://old.example' }, PUT],
    ['someone else deletes it', failure(404, 1234), { ...stored, url: 'https://old.example' }, PUT],
  ] as const) {
    it(`reads it again when ${what}, up to five times`, async () => {
      await responding(refusal, success([stored])).organizations.createOrUpdate(wanted, known);
      assert.deepEqual(stub.requests, [request, FIND]);
      stub.received = [];
      stub.respond = ({ method }) => (method === 'GET' ? success(known ? [known] : []) : refusal);
      await errorOf(new RosterClient(stub).organizations.createOrUpdate(wanted));
      assert.equal(stub.requests.filter((one) => one === request).length, 5);
    });
  }

  it('throws other errors without another attempt', async () => {
    const error = await errorOf(responding(failure(409, 1508)).organizations.createOrUpdate(wanted, null));
    assert.deepEqual([error.code, stub.requests], [1508, [POST]]);
  });

  it('adds a Consumer to an API, or changes its note', async () => {
    const [consumers, one] = ['/apis/b/consumers', '/apis/b/consumers/a'];
    const [found, none] = [put({ _id: 'a', note: 'Old.' }, '"1"'), failure(404, 1308)];
    const save = async (note: string, ...replies: Reply[]) =>
      (
        await responding(...replies)
          .consumersOf('b')
          .createOrUpdate({ organizationId: 'a', note })
      ).outcome;
    assert.equal(await save('Old. ', none, failure(409, 1514), found), 'unchanged');
    assert.equal(await save('New.', found, failure(404, 1308), none, put({})), 'created');
    assert.equal(await save('New.', found, put({})), 'updated');
    const [get, post, change] = [`GET ${one}`, `POST ${consumers}`, `PUT ${one}`];
    assert.deepEqual(stub.requests, [get, post, get, get, change, get, post, get, change]);
    assert.deepEqual(JSON.parse(stub.received[8]!.body), { _id: 'a', note: 'New.' });
    assert.equal((await errorOf(save('New.', failure(404, 1303)).then(assert.fail))).code, 1303);
  });

  it('sets the password of a User only when it creates them', async () => {
    const fields = { username: 'ada', companyName: 'Nets', email: 'ada@nets.example' };
    const ada = { ...fields, password: 'a long-winded passphrase' };
    const found = success([{ ...fields, _id: 'u', etag: '"1"' }]);
    assert.equal((await responding(found).users.createOrUpdate(ada)).outcome, 'unchanged');
    await responding(found, put({})).users.createOrUpdate({ ...ada, companyName: 'More Nets' });
    assert.deepEqual(stub.requests.slice(1), ['GET /users?username=ada', 'PUT /users/u']);
    assert.ok(!stub.received[2]!.body.includes('password'));
  });
});

describe('update', () => {
  const one: Reply = { body: { ...stored, etag: undefined }, headers: { ETag: '"1"' } };

  it('changes some fields, and reads the record again when someone else changes it', async () => {
    const now: Reply = { body: { ...stored, description: 'Newer.' }, headers: { ETag: '"2"' } };
    const roster = responding(one, failure(412, 1600), now, put(stored, '"3"'));
    const more = ({ description }: { description: string }) => ({ description: `${description} And more.` });
    assert.equal((await roster.organizations.update('a', more)).outcome, 'updated');
    assert.deepEqual(stub.requests, ['GET /organizations/a', PUT, 'GET /organizations/a', PUT]);
    assert.equal(stub.received[3]!.headers['if-match'], '"2"');
    assert.equal(JSON.parse(stub.received[3]!.body).description, 'Newer. And more.');
  });

  it('writes nothing if nothing changes, and gives up after five attempts', async () => {
    assert.equal((await responding(one).organizations.update('a', { url: wanted.url })).outcome, 'unchanged');
    stub.respond = ({ method }) => (method === 'GET' ? one : failure(412, 1600));
    await errorOf(new RosterClient(stub).organizations.update('a', { url: 'https://new.example' }));
    assert.equal(stub.requests.filter((request) => request === PUT).length, 5);
  });
});
