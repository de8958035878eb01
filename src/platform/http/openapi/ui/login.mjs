/**
 * Logs Swagger UI in: the tokens of POST /sessions, or one of the identity provider, close every lock. They stay in memory.
 * An access token that has expired is refreshed before the next request, and "Logout" ends the session.
 */
import { showLoginForm } from './login-form.mjs';

/** The names of the security schemes in the document. The second is there if the service offers the login. */
const SCHEME = 'bearer';
const PROVIDER = 'identityProvider';
/** Part of its lifetime after which an access token is refreshed. */
const REFRESH_AFTER = 0.8;
/** An access token that is no longer valid, and one whose account or session no longer exists (contract §5). */
const UNUSABLE = [1101, 1102];
/** A token of the identity provider whose User does not exist here. */
const NO_ACCOUNT = 1203;

let system;
/** `accessToken`, `refreshToken`, `refreshAt` and `sessionId` of a login with a password. */
let login;
let refreshing;

export function loginPlugin(swaggerUi) {
  system = swaggerUi;
  const authorizeOauth2 =
    () =>
    ({ token }) => {
      closeLocks(token.access_token);
      system.authActions.showDefinitions(false);
      void register(token.access_token);
    };
  const logout = (original) => (names) => {
    if (login) void endSession(login);
    login = undefined;
    return original(names);
  };
  return {
    wrapComponents: { authorizeBtn: withLogIn },
    statePlugins: { auth: { wrapActions: { authorizeOauth2, logout } } },
  };
}

/** Adds "Log in" to "Authorize", which takes tokens and API keys. */
function withLogIn(Authorize) {
  const { createElement } = system.React;
  return function LogInOrAuthorize(props) {
    const logIn = { className: 'btn log-in', onClick: () => showLoginForm(system) };
    return createElement(
      'div',
      { className: 'auth-wrapper' },
      !isLoggedIn() && createElement('button', logIn, 'Log in'),
      createElement(Authorize, props),
    );
  };
}

/** Not if there is only the token of a link. */
function isLoggedIn() {
  return [SCHEME, PROVIDER].some((scheme) => system.authSelectors.authorized().has(scheme));
}

/** Offers the login at the identity provider. Called when the document has been loaded. */
export function offerProvider() {
  const scheme = system.specSelectors.specJson().getIn(['components', 'securitySchemes', PROVIDER]);
  if (!scheme) return;
  const clientId = scheme.get('x-client-id');
  const scopes = [...scheme.getIn(['flows', 'authorizationCode', 'scopes']).keys()];
  system.authActions.configureAuth({ clientId, scopes, usePkceWithAuthorizationCodeGrant: true });
}

/** Creates the account of somebody who has logged in at the identity provider and has none, or says why there is none. */
async function register(accessToken) {
  const found = await send('GET', 'users/me', { accessToken });
  if (found?.status !== 403 || (await found.json()).code !== NO_ACCOUNT) return;
  const created = await send('POST', 'users', { accessToken });
  // Another tab may have created it meanwhile.
  if (created === undefined || created.ok || created.status === 409) return;
  system.errActions.newThrownErr(new Error((await created.json()).message));
}

export async function beforeRequest(request) {
  // Not that of a link.
  const isLogin = login && request.headers?.Authorization === `Bearer ${login.accessToken}`;
  if (!isLogin || Date.now() < login.refreshAt) return request;
  // Once for all that ask at the same time: a refresh token that is used twice ends the session.
  await (refreshing ??= refresh(login).finally(() => (refreshing = undefined)));
  if (login) request.headers.Authorization = `Bearer ${login.accessToken}`;
  return request;
}

/** Uses the tokens of a login, and notices the end of the session. */
export function afterResponse(response) {
  const { data, code } = response.body ?? {};
  if (data?.accessToken) use(data);
  else if (login && UNUSABLE.includes(code)) forget();
  return response;
}

async function refresh({ refreshToken, sessionId }) {
  const response = await send('POST', 'tokens', { body: { refreshToken } });
  if (login?.sessionId !== sessionId) return; // logged out or logged in meanwhile
  if (response?.ok) use((await response.json()).data);
  else if (response?.status === 401) forget();
}

/** A refresh does not name the session again. */
function use({ accessToken, refreshToken, expiresIn, _id: sessionId = login?.sessionId }) {
  login = { accessToken, refreshToken, refreshAt: Date.now() + expiresIn * 1000 * REFRESH_AFTER, sessionId };
  closeLocks(accessToken);
}

function closeLocks(accessToken) {
  system.getSystem().preauthorizeApiKey(SCHEME, accessToken);
}

function forget() {
  login = undefined;
  system.authActions.logout([SCHEME]);
}

async function endSession({ sessionId, accessToken }) {
  const response = await send('DELETE', `sessions/${sessionId}`, { accessToken });
  if ([204, 401, 404].includes(response?.status)) return;
  system.errActions.newThrownErr(new Error('Your session has not ended. Log in to delete it.'));
}

/** @param path relative to the page, as in index.html @returns undefined if the service cannot be reached */
function send(method, path, { accessToken, body }) {
  const headers = {
    ...(accessToken && { authorization: `Bearer ${accessToken}` }),
    ...(body && { 'content-type': 'application/json' }),
  };
  return fetch(path, { method, headers, body: JSON.stringify(body) }).catch(() => undefined);
}
