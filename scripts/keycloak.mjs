/** `npm run test:keycloak`: sets up Keycloak as docs/identity-providers.md says, and tries its tokens. See README.md here. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '../test/support/http-client.mjs';
import { ADMIN, startOwnService } from '../test/support/own-service.mjs';
import { Program } from '../test/support/program.mjs';
import { freePort } from './lib/free-port.mjs';
import { javaTools, maven } from './lib/generators.mjs';
import { CACHE } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { runMain, say, step } from './lib/steps.mjs';

const VERSION = process.env.KEYCLOAK_VERSION ?? '26.7.3';
const REDIRECT = 'http://localhost:3000/docs/oauth2-redirect.html';
const PASSWORD = 'the password of Ada';

runMain(async () => {
  const missing = javaTools.missing();
  if (missing) {
    say(`Skipped: Keycloak needs ${missing}.`);
    return 0;
  }
  await prepare({ build: true, database: true });
  const keycloak = await step(`Keycloak ${VERSION}: start`, startKeycloak);
  try {
    await step('Keycloak: programs, people and ES256', () => tryTokens(keycloak.url));
  } finally {
    await keycloak.stop();
  }
  return 0;
});

async function startKeycloak() {
  const folder = join(CACHE, 'keycloak');
  const home = join(folder, `keycloak-${VERSION}`);
  if (!existsSync(join(home, 'bin'))) {
    const artifact = `org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`;
    // It leaves a file in the working directory.
    mkdirSync(folder, { recursive: true });
    await maven('unpack', [`-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`], { cwd: folder });
  }
  const port = await freePort();
  const env = { KC_BOOTSTRAP_ADMIN_USERNAME: 'admin', KC_BOOTSTRAP_ADMIN_PASSWORD: 'admin' };
  const start = `exec bin/kc.sh start-dev --db=dev-mem --http-host=127.0.0.1 --http-port=${port}`;
  const program = new Program(['-ec', start], env, home, 'bash');
  await program.wrote(/Listening on: http/);
  return { url: `http://127.0.0.1:${port}`, stop: () => program.stop() };
}

/** @param {string} url of Keycloak */
async function tryTokens(url) {
  const realm = `${url}/realms/company`;
  const admin = await administer(url);
  const { secret } = await setUp(admin);
  const service = await startOwnService({
    OIDC_ISSUER: realm,
    OIDC_AUDIENCE: 'roster',
    OIDC_CLIENT_ID: 'roster-docs',
    OIDC_CREATE_USERS: 'on',
    OIDC_COMPANY_NAME: 'Engines',
    ORGANIZATION_CREATION: 'admin',
  });
  try {
    const { token: adminToken } = await Client.logIn(service.address, ADMIN);
    const call = (token, path = '/users/me', body) =>
      new Client(service.address, { token }).send(body ? 'POST' : 'GET', path, body);
    const credentials = { grant_type: 'client_credentials', client_id: 'nightly-import', client_secret: secret };
    const program = () => tokenOf(realm, credentials);
    const person = () => logIn(realm);
    await tryUsers({ call, admin: adminToken, program, person });
    await admin.signWithES256();
    const token = await program();
    assert.equal(JSON.parse(Buffer.from(token.split('.', 1)[0], 'base64url')).alg, 'ES256');
    // The keys are read again at most every 5 s.
    for (let tries = 0; (await call(token)).status !== 200; tries += 1) {
      assert.ok(tries < 20, 'ES256 is refused');
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    const other = await tokenOf(`${url}/realms/master`, ADMIN_LOGIN);
    assert.equal((await call(other)).body.code, 1101);
  } finally {
    await service.stop();
  }
}

/** A program gets its User from an Admin, and a person creates their own. */
async function tryUsers({ call, admin, program, person }) {
  const token = await program();
  // A program has no e-mail address, so an Admin creates its User.
  assert.match((await call(token, '/users', {})).body.message, /^No account was created: the claim "email" /);
  const names = { username: 'program', email: 'program@engines.example', companyName: 'Engines' };
  const user = { ...names, externalId: claimsOf(token).sub };
  assert.equal((await call(admin, '/users', user)).status, 201);
  assert.equal((await call(token)).body.username, 'program');
  const ada = await person();
  const unknown = await call(ada);
  assert.equal(unknown.body.code, 1203, JSON.stringify(unknown.body));
  const created = await call(ada, '/users', {});
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const { username, email, externalId } = (await call(ada)).body;
  assert.deepEqual([username, email, externalId], ['ada', 'ada@engines.example', claimsOf(ada).sub]);
}

const ADMIN_LOGIN = { grant_type: 'password', client_id: 'admin-cli', username: 'admin', password: 'admin' };

/** Keycloak's REST interface of administration. */
async function administer(url) {
  const call = async (method, path, body) => {
    const token = await tokenOf(`${url}/realms/master`, ADMIN_LOGIN);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/admin/realms${path}`, { method, headers, body: body && JSON.stringify(body) });
    const text = await response.text();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
    return text && JSON.parse(text);
  };
  const get = (path) => call('GET', `/company${path}`);
  const post = (path, body) => call('POST', `/company${path}`, body);
  const signWithES256 = async () => {
    const { id: parentId } = await get('');
    const config = { priority: ['200'], enabled: ['true'], active: ['true'], ecdsaEllipticCurveKey: ['P-256'] };
    const provider = { name: 'ES256', providerId: 'ecdsa-generated', providerType: 'org.keycloak.keys.KeyProvider' };
    await post('/components', { ...provider, parentId, config });
    const [client] = await get('/clients?clientId=nightly-import');
    const attributes = { ...client.attributes, 'access.token.signed.response.alg': 'ES256' };
    await call('PUT', `/company/clients/${client.id}`, { ...client, attributes });
  };
  return { call, get, post, signWithES256 };
}

/** The rows of the table in docs/identity-providers.md. */
async function setUp({ call, get, post }) {
  await call('POST', '', { realm: 'company', enabled: true });
  const openid = { protocol: 'openid-connect' };
  const config = { 'included.custom.audience': 'roster', 'access.token.claim': 'true', 'id.token.claim': 'false' };
  const mapper = { name: 'roster', ...openid, protocolMapper: 'oidc-audience-mapper', config };
  await post('/client-scopes', { name: 'roster', ...openid, protocolMappers: [mapper] });
  const scope = (await get('/client-scopes')).find(({ name }) => name === 'roster');
  await call('PUT', `/company/default-default-client-scopes/${scope.id}`);
  const pkce = { 'pkce.code.challenge.method': 'S256' };
  const browser = { redirectUris: [REDIRECT], webOrigins: ['http://localhost:3000'], attributes: pkce };
  await post('/clients', {
    clientId: 'roster-docs',
    ...openid,
    publicClient: true,
    standardFlowEnabled: true,
    ...browser,
  });
  const flows = { standardFlowEnabled: false, serviceAccountsEnabled: true };
  await post('/clients', { clientId: 'nightly-import', ...openid, publicClient: false, ...flows });
  const credentials = [{ type: 'password', value: PASSWORD, temporary: false }];
  const names = { firstName: 'Ada', lastName: 'L', email: 'ada@engines.example', emailVerified: true };
  await post('/users', { username: 'ada', enabled: true, ...names, credentials });
  const [{ id }] = await get('/clients?clientId=nightly-import');
  return { secret: (await get(`/clients/${id}/client-secret`)).value };
}

/** Logs Ada in as a browser does: authorization code with PKCE. */
async function logIn(realm) {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const client = { client_id: 'roster-docs', redirect_uri: REDIRECT };
  const query = {
    ...client,
    response_type: 'code',
    scope: 'openid',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  const page = await fetch(`${realm}/protocol/openid-connect/auth?${new URLSearchParams(query)}`);
  const cookie = page.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ');
  const [, action = ''] = /action="([^"]+)"/.exec(await page.text()) ?? [];
  const body = new URLSearchParams({ username: 'ada', password: PASSWORD });
  const login = await fetch(action.replaceAll('&amp;', '&'), {
    method: 'POST',
    body,
    headers: { cookie },
    redirect: 'manual',
  });
  const code = new URL(login.headers.get('location') ?? '', REDIRECT).searchParams.get('code');
  assert.ok(code, `the login led to ${login.status} ${login.headers.get('location')}`);
  return tokenOf(realm, { grant_type: 'authorization_code', code, code_verifier: verifier, ...client });
}

async function tokenOf(realm, parameters) {
  const response = await fetch(`${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(parameters),
  });
  const answer = await response.json();
  assert.ok(answer.access_token, JSON.stringify(answer));
  return answer.access_token;
}

function claimsOf(token) {
  return JSON.parse(Buffer.from(token.split('.')[1], 'base64url'));
}
