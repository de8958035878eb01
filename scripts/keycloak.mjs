/** `npm run test:keycloak`: sets up Keycloak as docs/identity-providers.md says, and tries its tokens. See README.md here. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '../test/support/http-client.mjs';
import { ADMIN, startOwnService } from '../test/support/own-service.mjs';
import { Program } from '../test/support/program.mjs';
import { stampedPart } from './lib/fingerprint.mjs';
import { freePort } from './lib/free-port.mjs';
import { javaTools, MAVEN, maven } from './lib/generators.mjs';
import { CACHE } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { capture } from './lib/processes.mjs';
import { runMain, SetupError, step } from './lib/steps.mjs';

const VERSION = process.env.KEYCLOAK_VERSION ?? '26.7.3';
const HOME = join(CACHE, `keycloak-${VERSION}`);
const DOCS = { client_id: 'roster-docs', redirect_uri: 'http://localhost:3000/docs/oauth2-redirect.html' };
const OPERATOR = { grant_type: 'password', client_id: 'admin-cli', username: 'admin', password: 'admin' };
const ADA = { username: 'ada', password: 'the password of Ada' };
const PROGRAM = { grant_type: 'client_credentials', client_id: 'nightly-import', client_secret: 'of the program' };

/** Not with Maven's `unpack`, which makes a folder `${project.basedir}`. */
const keycloak = stampedPart(`Downloading Keycloak ${VERSION}`, join(HOME, 'installed.txt'), VERSION, async () => {
  await maven('get', [`-Dartifact=org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`, '-Dtransitive=false']);
  const zip = join(MAVEN, 'org/keycloak/keycloak-quarkus-dist', VERSION, `keycloak-quarkus-dist-${VERSION}.zip`);
  await capture('jar', ['xf', zip], { cwd: CACHE });
});

runMain(async () => {
  const missing = javaTools.missing();
  if (missing) throw new SetupError(`Keycloak needs ${missing}, which is not installed.`);
  await prepare({ build: true, database: true, parts: [keycloak] });
  const port = await freePort();
  const env = { KC_BOOTSTRAP_ADMIN_USERNAME: OPERATOR.username, KC_BOOTSTRAP_ADMIN_PASSWORD: OPERATOR.password };
  const args = ['bin/kc.sh', 'start-dev', '--db=dev-mem', '--http-host=127.0.0.1', `--http-port=${port}`];
  const program = new Program(args, env, HOME, 'bash');
  // It is built at its first start only.
  await step('Keycloak: build', () => program.wrote(/augmentation completed|Listening on: http/));
  await step('Keycloak: start', () => program.wrote(/Listening on: http/));
  await step('Keycloak: programs, people and ES256', () => tryTokens(`http://127.0.0.1:${port}`));
  await program.stop();
  return 0;
});

/** The settings in docs/identity-providers.md, and Ada. */
async function setUp(url) {
  const post = (path, body) => administer(url, 'POST', path, body);
  const names = { firstName: 'Ada', lastName: 'L', email: 'ada@engines.example', emailVerified: true };
  const credentials = [{ type: 'password', value: ADA.password }];
  const users = [{ username: ADA.username, enabled: true, ...names, credentials }];
  await post('', { realm: 'company', enabled: true, users });
  const openid = { protocol: 'openid-connect' };
  const config = { 'included.custom.audience': 'roster', 'access.token.claim': 'true', 'id.token.claim': 'false' };
  const protocolMappers = [{ name: 'roster', ...openid, protocolMapper: 'oidc-audience-mapper', config }];
  await post('/company/client-scopes', { id: 'roster', name: 'roster', ...openid, protocolMappers });
  await administer(url, 'PUT', '/company/default-default-client-scopes/roster');
  const pages = {
    redirectUris: [DOCS.redirect_uri, 'http://localhost:3000/catalog/'],
    webOrigins: ['http://localhost:3000'],
  };
  const browser = { publicClient: true, ...pages, attributes: { 'pkce.code.challenge.method': 'S256' } };
  await post('/company/clients', { clientId: DOCS.client_id, ...openid, ...browser });
  const flows = { publicClient: false, standardFlowEnabled: false, serviceAccountsEnabled: true };
  await post('/company/clients', { clientId: PROGRAM.client_id, secret: PROGRAM.client_secret, ...openid, ...flows });
}

/** Calls Keycloak's REST interface of administration. */
async function administer(url, method, path, body) {
  const authorization = `Bearer ${await tokenOf(`${url}/realms/master`, OPERATOR)}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const response = await fetch(`${url}/admin/realms${path}`, { method, headers, body: JSON.stringify(body) });
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.text()}`);
}

async function tryTokens(url) {
  await setUp(url);
  const realm = `${url}/realms/company`;
  const accounts = { OIDC_CREATE_USERS: 'on', OIDC_COMPANY_NAME: 'Engines', ORGANIZATION_CREATION: 'admin' };
  const provider = { OIDC_ISSUER: realm, OIDC_AUDIENCE: 'roster', OIDC_CLIENT_ID: DOCS.client_id };
  const { address, stop } = await startOwnService({ ...provider, ...accounts });
  const me = async (token) => (await send(address, token, 'GET', '/users/me')).body;
  const register = (token, user = {}) => send(address, token, 'POST', '/users', user);
  try {
    const { token: admin } = await Client.logIn(address, ADMIN);
    const program = await tokenOf(realm, PROGRAM);
    // It has no e-mail address, so an Admin creates its User. A person creates their own.
    assert.match((await register(program)).body.message, /^No account was created: the claim "email" /);
    const names = { username: 'program', email: 'program@engines.example', companyName: 'Engines' };
    assert.equal((await register(admin, { ...names, externalId: partOf(program, 1).sub })).status, 201);
    assert.equal((await me(program)).username, 'program');
    const ada = await logIn(realm);
    assert.equal((await me(ada)).code, 1203);
    assert.equal((await register(ada)).status, 201);
    const { username, email, externalId } = await me(ada);
    assert.deepEqual([username, email, externalId], ['ada', 'ada@engines.example', partOf(ada, 1).sub]);
    await administer(url, 'PUT', '/company', { defaultSignatureAlgorithm: 'ES256' });
    // Roster reads the keys again at most every 5 s.
    await delay(5000);
    const signed = await tokenOf(realm, PROGRAM);
    assert.equal(partOf(signed, 0).alg, 'ES256');
    assert.equal((await me(signed)).username, 'program');
    assert.equal((await me(await tokenOf(`${url}/realms/master`, OPERATOR))).code, 1101);
  } finally {
    await stop();
  }
}

/** Sends a request to Roster, and again when `Retry-After` says, up to ten times. */
async function send(address, token, ...request) {
  for (let tries = 1; ; tries += 1) {
    const response = await new Client(address, { token }).send(...request);
    const seconds = response.headers?.['retry-after'];
    if (seconds === undefined || tries === 10) return response;
    await delay(seconds * 1000);
  }
}

/** Logs Ada in as a browser does: authorization code with PKCE. */
async function logIn(realm) {
  const code_verifier = randomBytes(32).toString('base64url');
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
  const query = { ...DOCS, response_type: 'code', scope: 'openid', code_challenge, code_challenge_method: 'S256' };
  const page = await fetch(`${realm}/protocol/openid-connect/auth?${new URLSearchParams(query)}`);
  const headers = { cookie: page.headers.getSetCookie().join('; ') };
  const [, action = ''] = /action="([^"]+)"/.exec(await page.text()) ?? [];
  const form = { method: 'POST', body: new URLSearchParams(ADA), headers, redirect: 'manual' };
  const location = (await fetch(action.replaceAll('&amp;', '&'), form)).headers.get('location') ?? '';
  const code = new URL(location, DOCS.redirect_uri).searchParams.get('code');
  assert.ok(code, `the login led to "${location}"`);
  return tokenOf(realm, { grant_type: 'authorization_code', code, code_verifier, ...DOCS });
}

async function tokenOf(realm, parameters) {
  const request = { method: 'POST', body: new URLSearchParams(parameters) };
  const answer = await (await fetch(`${realm}/protocol/openid-connect/token`, request)).json();
  return answer.access_token ?? assert.fail(JSON.stringify(answer));
}

// The header (0) or the claims (1) of a token.
const partOf = (token, index) => JSON.parse(Buffer.from(token.split('.')[index], 'base64url'));
