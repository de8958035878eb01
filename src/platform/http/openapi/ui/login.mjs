/**
 * Keeps Swagger UI logged in. The tokens of POST /sessions close every lock. They are refreshed before they expire,
 * survive a reload, and end with the tab. "Log out" ends the session.
 *
 * They are in sessionStorage only while the page is left: "Duplicate tab" copies it, and a refresh token used in two tabs
 * would end the session.
 */
import { showLoginForm } from './login-form.mjs';

const KEY = 'roster.login';
/** The name of the security scheme in the document. */
const SCHEME = 'bearer';
/** The scheme of the login at the identity provider, if the document has one. */
const PROVIDER = 'identityProvider';
/** Part of its lifetime after which an access token is refreshed. */
const REFRESH_AFTER = 0.8;
/** An access token that is not valid any more, and one of an account or a session that no longer exists (contract §5). */
const TOKEN_UNUSABLE = 1101;
const SESSION_ENDED = 1102;
/** A token of the identity provider that is about nobody here. */
const NO_ACCOUNT = 1203;
const NOT_ENDED = 'Your session has not ended: the service could not be reached, or refused. Log in to delete it.';

let system;
/** `accessToken`, `refreshToken`, `refreshAt`, `sessionId`, `username`; of a pasted token `accessToken` alone. */
let login;
let timer;
let refreshing;

/** Adds "Log out" to Swagger UI, and notices the tokens that people paste and what the dialog of the locks does. */
export function loginPlugin(swaggerUi) {
  system = swaggerUi;
  window.addEventListener('pagehide', () => login && window.sessionStorage.setItem(KEY, JSON.stringify(login)));
  window.addEventListener('pageshow', ({ persisted }) => persisted && restoreLogin());
  return {
    wrapComponents: { authorizeBtn: withLogOut },
    statePlugins: {
      auth: {
        wrapActions: {
          authorize: (original) => (authorized) => {
            const accessToken = authorized[SCHEME]?.value;
            if (accessToken !== login?.accessToken) keep({ accessToken });
            return original(authorized);
          },
          // The token of the identity provider closes the locks as one that is pasted.
          authorizeOauth2:
            () =>
            ({ token }) => {
              use({ accessToken: token.access_token });
              system.authActions.showDefinitions(false);
              void register(token.access_token);
            },
          logout: (original) => (names) => {
            const ended = login;
            keep(undefined);
            if (ended?.sessionId) void logOut(ended);
            return original(names);
          },
        },
      },
    },
  };
}

/** Offers the login at the identity provider. Called when the document has been loaded. */
export function offerProvider() {
  const scheme = system.specSelectors.specJson().getIn(['components', 'securitySchemes', PROVIDER]);
  if (!scheme) return;
  const clientId = scheme.get('x-client-id');
  const scopes = [...scheme.getIn(['flows', 'authorizationCode', 'scopes']).keys()];
  system.authActions.configureAuth({ clientId, scopes, usePkceWithAuthorizationCodeGrant: true });
}

/** Creates the account of whoever has logged in at the identity provider and has none, or says why there is none. */
async function register(accessToken) {
  const headers = { authorization: `Bearer ${accessToken}` };
  const request = (path, method) => fetch(path, { method, headers }).catch(() => undefined);
  const found = await request('users/me', 'GET');
  if (found?.status !== 403 || (await found.json()).code !== NO_ACCOUNT) return;
  const created = await request('users', 'POST');
  // Another tab may have created it meanwhile.
  if (created === undefined || created.ok || created.status === 409) return;
  system.errActions.newThrownErr(new Error((await created.json()).message));
}

/** Closes the locks again after a reload. Called when the document has been loaded, or shown again. */
export function restoreLogin() {
  const stored = window.sessionStorage.getItem(KEY);
  window.sessionStorage.removeItem(KEY);
  if (stored) use(JSON.parse(stored));
}

/** Replaces an access token that expires soon or has expired, for example while the computer was asleep. */
export async function beforeRequest(request) {
  if (request.headers?.Authorization && Date.now() >= login?.refreshAt) {
    await refresh();
    if (login) request.headers.Authorization = `Bearer ${login.accessToken}`;
  }
  request.responseInterceptor = (response) => afterResponse(response, request.headers?.Authorization);
  return request;
}

/** Uses the tokens of a login or of a refresh, and notices the end of the session. */
function afterResponse(response, authorization) {
  const { data, code } = response.body ?? {};
  if (data?.accessToken) use(withTokens(data));
  const isDeleted = response.status === 204 && response.url.endsWith(`/sessions/${login?.sessionId}`);
  const isCurrent = login && authorization === `Bearer ${login.accessToken}`;
  if (isDeleted || (isCurrent && code === SESSION_ENDED)) forget();
  else if (isCurrent && code === TOKEN_UNUSABLE) replaceToken();
  return response;
}

/** A login refreshes its token before the next request. A token that was pasted cannot be refreshed. */
function replaceToken() {
  if (login.refreshToken) login.refreshAt = 0;
  else forget();
}

/** The login with these tokens; a refresh does not name the session and the User again. */
function withTokens({ accessToken, refreshToken, expiresIn, _id, user }) {
  const refreshAt = Date.now() + expiresIn * 1000 * REFRESH_AFTER;
  const whose = _id ? { sessionId: _id, username: user.username } : {};
  return { ...login, accessToken, refreshToken, refreshAt, ...whose };
}

function use(next) {
  keep(next);
  system.getSystem().preauthorizeApiKey(SCHEME, next.accessToken);
}

function forget() {
  keep(undefined);
  system.authActions.logout([SCHEME]);
}

function keep(next) {
  login = next;
  clearTimeout(timer);
  if (next?.refreshToken) timer = setTimeout(refresh, next.refreshAt - Date.now());
}

/** Refreshes the tokens, once for all who ask at the same time. After a 503 or 429, the next request tries again. */
function refresh() {
  refreshing ??= refreshNow().finally(() => (refreshing = undefined));
  return refreshing;
}

async function refreshNow() {
  const { refreshToken } = login;
  const { status, data } = await requestTokens(refreshToken);
  if (login?.refreshToken !== refreshToken) return; // logged out or logged in meanwhile
  if (data) use(withTokens(data));
  else if (status === 401) forget();
}

// The addresses are relative to the page, as in index.html.
async function requestTokens(refreshToken) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ refreshToken });
  const response = await fetch('tokens', { method: 'POST', headers, body }).catch(() => undefined);
  return { status: response?.status, data: response?.ok ? (await response.json()).data : undefined };
}

async function logOut(ended) {
  if (!(await endSession(ended))) system.errActions.newThrownErr(new Error(NOT_ENDED));
}

/** @returns whether the session has ended, now or before */
async function endSession({ sessionId, accessToken, refreshToken, refreshAt }) {
  const { status, data } = Date.now() < refreshAt ? { data: { accessToken } } : await requestTokens(refreshToken);
  if (!data) return status === 401;
  const headers = { authorization: `Bearer ${data.accessToken}` };
  const response = await fetch(`sessions/${sessionId}`, { method: 'DELETE', headers }).catch(() => undefined);
  return [204, 401, 404].includes(response?.status);
}

/** Adds "Log in" to "Authorize", which takes tokens and API keys, and replaces both during a login. */
function withLogOut(Authorize) {
  const { createElement } = system.React;
  return function LoginState(props) {
    if (!props.isAuthorized) {
      const logIn = { className: 'btn log-in', onClick: () => showLoginForm(system) };
      return createElement(
        'div',
        { className: 'auth-wrapper' },
        createElement('button', logIn, 'Log in'),
        createElement(Authorize, props),
      );
    }
    const who = login?.username ? `Logged in as ${login.username}` : 'Logged in';
    const logOut = () => system.authActions.logout([SCHEME]);
    return createElement(
      'div',
      { className: 'auth-wrapper' },
      createElement('span', { className: 'login-state' }, who),
      createElement('button', { className: 'btn log-out', onClick: logOut }, 'Log out'),
      // The dialog of the locks.
      props.showPopup && createElement(props.getComponent('authorizationPopup', true)),
    );
  };
}
