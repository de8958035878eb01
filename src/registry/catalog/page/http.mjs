// The only module that sends requests to Roster. It has the login, which is kept for this tab alone.

/** The address of Roster: the page is one level below it. */
const ROSTER = new URL('../', location.href);
const NO_ACCOUNT = 1203;
/** `{ key }` is an API key; others have an `accessToken`, those of Roster a `refreshToken` and the `_id` of the session. */
export let login = JSON.parse(sessionStorage.getItem('roster'));
let session = new AbortController();
let account, refreshing;
/** A signal that ends with the login. */
export const whileSignedIn = () => session.signal;
export function keep(credentials) {
  login = credentials;
  account = undefined;
  sessionStorage.setItem('roster', JSON.stringify(login));
}

/** Forgets the login, and ends all reads: nothing that they bring is shown to the next account. */
export function forget() {
  keep(null);
  session.abort();
  session = new AbortController();
}

/** @param path relative to the address of Roster, or absolute as in a `Link` header */
export async function send(path, { method, body, token, etag, count, signal } = {}) {
  const headers = {
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(body && { 'Content-Type': 'application/json' }),
    ...(etag && { 'If-Match': etag }),
    ...(count && { Prefer: 'count=exact' }),
  };
  // The browser keeps nothing for the next account.
  const init = { method, headers, signal, cache: 'no-store', body: body && JSON.stringify(body) };
  const response = await fetch(new URL(path, ROSTER), init).catch((error) => {
    if (error.name === 'AbortError') throw error;
    throw new Error(navigator.onLine ? 'Roster cannot be reached.' : 'You are offline.');
  });
  if (response.ok) return response;
  const { message = `The response is ${response.status}.`, code } = await response.json().catch(() => ({}));
  const errors = [message].flat();
  const text = errors.map((one) => (one.title ? `${one.title} ${one.detail}` : one)).join('; ');
  const seconds = Number(response.headers.get('Retry-After') ?? NaN);
  const fields = errors.filter(({ title }) => title).map(({ title, detail }) => [title, detail]);
  throw Object.assign(new Error(text), { status: response.status, code, seconds, fields });
}

/** Sends a request as the account. A read waits for a minute at most, as `Retry-After` says; a login that has expired is renewed. */
export async function request(path, options = {}) {
  const used = login;
  try {
    return await send(path, { ...options, token: used.key ?? used.accessToken });
  } catch (error) {
    if (error.status === 401) await renew(used, error);
    else if (error.seconds <= 60 && !options.method) await wait(error.seconds, document.getElementById('status'));
    else throw error;
  }
  options.signal?.throwIfAborted();
  return request(path, options);
}

/** Gets the next tokens, once for all requests that were refused. If there are none, the page asks for another login. */
async function renew(used, error) {
  if (!login) throw error;
  if (login !== used) return;
  refreshing ??= (login.refreshToken ? refresh() : Promise.reject(error)).finally(() => (refreshing = undefined));
  await refreshing.catch((refusal) => {
    if (refusal.status === 401 && login) dispatchEvent(new CustomEvent('refused', { detail: refusal.message }));
    throw refusal;
  });
}

async function refresh() {
  const used = login;
  const response = await send('tokens', { method: 'POST', body: { refreshToken: used.refreshToken } });
  const { accessToken, refreshToken } = (await response.json()).data;
  if (login === used) keep({ ...used, accessToken, refreshToken });
}
async function wait(seconds, status) {
  status.textContent = `Roster is busy. Trying again in ${seconds} s …`;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  status.textContent = '';
}
/** A list, or a record with its ETag, as lists have it. */
export async function read(path, signal) {
  const response = await request(path, { signal });
  return { ...(await response.json()), etag: response.headers.get('ETag') };
}

/** The address of the next page of a list. */
export const nextOf = (response) => /<([^>]*)>; rel="next"/.exec(response.headers.get('Link'))?.[1];
/** The records on all pages of a list. */
export async function readAll(path, signal) {
  const response = await request(path, { signal });
  const next = nextOf(response);
  return [...(await response.json()).data, ...(next ? await readAll(next, signal) : [])];
}

/** @returns what the response shows of the record, if it has a body */
export const write = async (method, path, body, etag) =>
  (await (await request(path, { method, body, etag })).json().catch(() => ({}))).data;

/** The User of the login. Somebody of the identity provider without one gets one, if Roster is set up so. */
export function me() {
  account ??= read('users/me', whileSignedIn()).catch(async (error) => {
    account = undefined;
    if (error.code !== NO_ACCOUNT) throw error;
    await request('users', { method: 'POST' });
    return me();
  });
  return account;
}
