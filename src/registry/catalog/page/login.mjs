// Signing in: with Roster's own login, that of the identity provider, or an API key.
import { button, element, form, input } from './elements.mjs';
import { keep, login, me, request, send } from './http.mjs';

const readHome = async () => (await send('')).json();
/** Where the identity provider returns to: it must know this address. */
const REDIRECT_URI = location.origin + location.pathname;
const BEGUN = 'roster-provider';
/** Logs in at Roster. @param name a username or an e-mail address: only that has an `@` */
export async function logIn(name, password) {
  const body = { [name.includes('@') ? 'email' : 'username']: name, password };
  const { _id, accessToken, refreshToken } = (await (await send('sessions', { method: 'POST', body })).json()).data;
  keep({ _id, accessToken, refreshToken });
}

/** Makes the forms. @param done is called when there is a login */
export function signInForms(done) {
  const secret = { type: 'password', required: true };
  const name = input('Username or e-mail address', 'username', { required: true, autocomplete: 'username' });
  const password = input('Password', 'password', { ...secret, autocomplete: 'current-password' });
  const format = { pattern: '\\s*roster_\\w+\\s*', title: 'An API key begins with roster_.' };
  const key = input('API key', 'key', { ...secret, ...format, autocomplete: 'off' });
  const logInWith = ({ username, password }) => logIn(username, password).then(done);
  const useKey = async ({ key }) => done(keep({ key: key.trim() }));
  const provider = element('div');
  const offer = ({ identityProvider: there }) =>
    there && provider.append(button('Log in with your company account', () => toProvider(there)));
  // Digests need an address with https, or of this machine.
  if (isSecureContext) readHome().then(offer, () => undefined);
  return [provider, form('Log in', [name, password], logInWith), form('Use this key', key, useKey)];
}
const base64url = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/[+/=]/g, (one) => ({ '+': '-', '/': '_' })[one] ?? '');
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** The authorization code flow with PKCE (RFC 9700 §2.1.1), as a public client. */
async function toProvider({ authorizationUrl, clientId: client_id, scope }) {
  const begun = { state: random(), verifier: random(), hash: location.hash };
  sessionStorage.setItem(BEGUN, JSON.stringify(begun));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(begun.verifier));
  const pkce = { code_challenge: base64url(digest), code_challenge_method: 'S256' };
  const query = { response_type: 'code', client_id, scope, redirect_uri: REDIRECT_URI, state: begun.state, ...pkce };
  const url = new URL(authorizationUrl);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  location.assign(url);
}

/** Completes the login with which somebody comes back from the provider. */
export async function returnFromProvider() {
  const query = Object.fromEntries(new URLSearchParams(location.search));
  if (!query.state) return;
  const begun = JSON.parse(sessionStorage.getItem(BEGUN)) ?? {};
  sessionStorage.removeItem(BEGUN);
  history.replaceState(null, '', REDIRECT_URI + (begun.hash ?? location.hash));
  if (login) return; // nobody began one: a link of somebody else signs nobody out
  if (begun.state !== query.state) throw new Error('This login was not started in this tab.');
  if (!query.code) throw new Error(query.error_description ?? query.error);
  const { tokenUrl, clientId: client_id } = (await readHome()).identityProvider;
  const grant = { grant_type: 'authorization_code', code: query.code, redirect_uri: REDIRECT_URI, client_id };
  const body = new URLSearchParams({ ...grant, code_verifier: begun.verifier });
  const response = await fetch(tokenUrl, { method: 'POST', body });
  const { access_token: accessToken, error: refusal } = await response.json();
  if (!accessToken) throw new Error(`The identity provider refused the login: ${refusal}`);
  keep({ accessToken });
  await me();
}
/** Ends a session of Roster. */
export function endSession() {
  if (login._id) request(`sessions/${login._id}`, { method: 'DELETE' }).catch(() => undefined);
}
