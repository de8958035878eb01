import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RosterClient, type Login } from '@roster/client';
import { errorOf, failure, Stub, success, type Reply } from './stub.ts';

const stub = new Stub();
const ID = '65f5f0a2c3d4e5f60718293c';
const params = { path: { id: ID } };
const LOGIN: Login = { sessionId: ID, accessToken: 'access 1', refreshToken: 'refresh 1' };

describe('the login', () => {
  /** Responds like the service: only the newest access token works. */
  function startSession(): void {
    let refreshes = 1;
    stub.respond = ({ path, headers, body }) => {
      if (path?.endsWith('/sessions')) return success({ _id: ID, accessToken: 'access 1', refreshToken: 'refresh 1' });
      const isNewest = body.includes(`"refresh ${refreshes}"`);
      if (path?.endsWith('/tokens') && !isNewest) return failure(401, 1104);
      if (path?.endsWith('/tokens')) refreshes++;
      const tokens = { accessToken: `access ${refreshes}`, refreshToken: `refresh ${refreshes}` };
      if (path?.endsWith('/tokens')) return success(tokens);
      return headers.authorization === 'Bearer access 2' ? success({ _id: ID }) : failure(401, 1101);
    };
  }

  it('is sent with every request, and can be kept', async () => {
    startSession();
    const kept: (Login | undefined)[] = [];
    const roster = new RosterClient({ ...stub, onLogin: (login) => kept.push(login) });
    await roster.logIn({ username: 'ada', password: 'a long-winded passphrase' });
    assert.deepEqual(roster.login, LOGIN);
    assert.deepEqual(kept, [LOGIN]);
    await roster.get('/apis/{id}', { params });
    assert.equal(stub.received[1]!.headers.authorization, 'Bearer access 1');
  });

  it('is refreshed when the access token has expired, and the request is sent again with its body', async () => {
    startSession();
    const kept: (Login | undefined)[] = [];
    const roster = new RosterClient({ ...stub, login: LOGIN, onLogin: (login) => kept.push(login) });
    await roster.post('/organizations', { body: { name: 'Nets', url: 'https://nets.example' } });
    assert.deepEqual(stub.requests, ['POST /organizations', 'POST /tokens', 'POST /organizations']);
    assert.equal(stub.received[2]!.body, stub.received[0]!.body);
    assert.deepEqual(kept, [{ sessionId: ID, accessToken: 'access 2', refreshToken: 'refresh 2' }]);
  });

  it('is refreshed once for all requests that are under way', async () => {
    startSession();
    const roster = new RosterClient({ ...stub, login: LOGIN });
    const call = (): Promise<unknown> => roster.get('/apis/{id}', { params });
    await Promise.all([call(), call(), call(), call()]);
    assert.equal(stub.requests.filter((request) => request === 'POST /tokens').length, 1);
  });

  it('is dropped when the refresh token is refused', async () => {
    startSession();
    const roster = new RosterClient({ ...stub, login: { ...LOGIN, refreshToken: 'stolen' } });
    const error = await errorOf(roster.get('/apis/{id}', { params }));
    assert.deepEqual([error.status, error.code, roster.login], [401, 1104, undefined]);
  });

  it('stays when a proxy answers the refresh with a page', async () => {
    stub.respond = ({ path }) => (path?.endsWith('/tokens') ? { body: '<h1>Welcome</h1>' } : failure(401, 1101));
    const roster = new RosterClient({ ...stub, login: LOGIN });
    const { status, code } = await errorOf(roster.get('/apis/{id}', { params }));
    assert.deepEqual([status, code, roster.login], [200, undefined, LOGIN]);
  });

  it('stays when the refresh fails otherwise', async () => {
    stub.respond = ({ path }) => (path?.endsWith('/tokens') ? failure(503, 1902) : failure(401, 1101));
    const roster = new RosterClient({ ...stub, login: LOGIN });
    assert.equal((await errorOf(roster.get('/apis/{id}', { params }))).code, 1902);
    assert.deepEqual(roster.login, LOGIN);
  });

  describe('while the login of another account is refreshed', () => {
    const OTHER: Login = { sessionId: 'other', accessToken: 'access of B', refreshToken: 'refresh of B' };

    /** A request is sent as A, whose access token has expired; B logs in before the refresh is answered. */
    async function logInMeanwhile(refresh: Reply): Promise<{ roster: RosterClient; code: number | undefined }> {
      const roster = new RosterClient({ ...stub, login: LOGIN });
      stub.respond = async ({ path }) => {
        if (path?.endsWith('/sessions'))
          return success({ _id: 'other', accessToken: 'access of B', refreshToken: 'refresh of B' });
        if (!path?.endsWith('/tokens')) return failure(401, 1101);
        await roster.logIn({ username: 'ben', password: 'a long-winded passphrase' });
        return refresh;
      };
      const body = { name: 'Nets', url: 'https://nets.example' };
      return { roster, code: (await errorOf(roster.post('/organizations', { body }))).code };
    }

    it('stays, and does not send the request of the other account', async () => {
      const { roster, code } = await logInMeanwhile(success({ accessToken: 'access 2', refreshToken: 'refresh 2' }));
      assert.deepEqual([roster.login, code], [OTHER, 1101]);
      assert.deepEqual(stub.requests, ['POST /organizations', 'POST /tokens', 'POST /sessions']);
    });

    it('stays when that refresh is refused', async () => {
      const { roster, code } = await logInMeanwhile(failure(401, 1104));
      assert.deepEqual([roster.login, code], [OTHER, 1101]);
    });
  });

  it('is not refreshed when the password is wrong or the account was deleted', async () => {
    for (const code of [1102, 1103]) {
      stub.respond = () => failure(401, code);
      assert.equal((await errorOf(new RosterClient({ ...stub, login: LOGIN }).get('/sessions'))).code, code);
    }
    assert.deepEqual(stub.requests, ['GET /sessions', 'GET /sessions']);
  });

  it('ends with logOut', async () => {
    stub.respond = () => ({ status: 204 });
    const roster = new RosterClient({ ...stub, login: LOGIN });
    await roster.logOut();
    await roster.logOut();
    assert.deepEqual(stub.requests, [`DELETE /sessions/${ID}`]);
    assert.equal(roster.login, undefined);
  });

  it('ends with logOut when the session has been ended elsewhere', async () => {
    for (const [status, code] of [
      [401, 1102],
      [404, 1302],
    ] as const) {
      stub.respond = () => failure(status, code);
      const roster = new RosterClient({ ...stub, login: LOGIN });
      await roster.logOut();
      assert.equal(roster.login, undefined);
    }
  });

  it('stays when logOut fails otherwise', async () => {
    stub.respond = () => failure(503, 1902);
    const roster = new RosterClient({ ...stub, login: LOGIN });
    assert.equal((await errorOf(roster.logOut())).code, 1902);
    assert.deepEqual(roster.login, LOGIN);
  });
});

describe('register', () => {
  it('sends POST /users without a body, and reads the User if there is one', async () => {
    for (const reply of [success({ _id: ID }), failure(409, 1513)]) {
      stub.received = [];
      stub.respond = ({ method }) => (method === 'POST' ? reply : success({ _id: ID }));
      const roster = new RosterClient({ ...stub, key: 'a token' });
      assert.equal((await roster.register())._id, ID);
      const [{ headers, body } = assert.fail()] = stub.received;
      assert.deepEqual([headers.authorization, headers['content-type'], body], ['Bearer a token', undefined, '']);
      assert.deepEqual(stub.requests, ['POST /users', 'GET /users/me'].slice(0, reply.status === 409 ? 2 : 1));
    }
  });

  it('throws the error of the token', async () => {
    stub.respond = () => failure(403, 1203, 'No account was created: the claim "email" is required.');
    const error = await errorOf(new RosterClient({ ...stub, key: 'a token' }).register());
    assert.deepEqual([error.code, stub.requests], [1203, ['POST /users']]);
  });
});
