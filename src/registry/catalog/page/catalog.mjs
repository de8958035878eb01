// Reads Roster and shows it. What a record says becomes text, never markup, and its links are http or https.
import { button, contactOf, element, endOf, facts, item, mail, mark, web } from './elements.mjs';

const ROSTER = new URL('../', location.href);
const RECORD = /^(?:apis|organizations)\/[0-9a-f]{24}$/;
const { title: TITLE } = document;
const byId = (id) => document.getElementById(id);
/** For this tab only: an API key, or the `_id` and the token of a login. */
let login = JSON.parse(sessionStorage.getItem('roster'));
let session = new AbortController();
/** What is shown: a `list`, its `q`, and the record to `show`. Links name what changes; the rest stays. */
let at = {};

function keep(credentials) {
  login = credentials;
  sessionStorage.setItem('roster', JSON.stringify(login));
  byId('sign-in').hidden = Boolean(login);
  byId('catalog').hidden = byId('sign-out').hidden = !login;
  follow();
}

/** Asks for a key or a login, and shows nothing more to the last account. */
function ask(why = '') {
  keep(null);
  session.abort();
  session = new AbortController();
  at = {};
  for (const id of ['list', 'record', 'status']) byId(id).replaceChildren();
  document.title = TITLE;
  byId('why').textContent = why;
  byId('sign-in').querySelector('input').focus();
}

/** @param path relative to the address of Roster, or absolute as in a `Link` header */
async function send(path, init) {
  const response = await fetch(new URL(path, ROSTER), init).catch((error) => {
    if (error.name === 'AbortError') throw error;
    throw new Error(navigator.onLine ? 'Roster cannot be reached.' : 'You are offline.');
  });
  if (response.ok) return response;
  const { message = `The response is ${response.status}.` } = await response.json().catch(() => ({}));
  const texts = [message].flat().map((one) => (one.title ? `${one.title} ${one.detail}` : one));
  const seconds = Number(response.headers.get('Retry-After') ?? NaN);
  throw Object.assign(new Error(texts.join('; ')), { status: response.status, seconds });
}

/** Reads. After 429 and 503 it waits as long as `Retry-After` says, after 401 it asks for another login. */
async function get(path, signal) {
  const used = login;
  try {
    return await send(path, { signal, headers: authorized(used) });
  } catch (error) {
    if (error.seconds <= 60) {
      byId('status').textContent = `Roster is busy. Trying again in ${error.seconds} s …`;
      await new Promise((resolve) => setTimeout(resolve, error.seconds * 1000));
      byId('status').textContent = '';
    } else if (error.status !== 401) throw error;
    else if (used === login) ask(error.message);
  }
  signal.throwIfAborted();
  return get(path, signal);
}
const authorized = ({ key, accessToken }) => ({ Authorization: `Bearer ${key ?? accessToken}` });
const read = async (path, signal) => (await get(path, signal)).json();

const messageOf = ({ message }) => message;
const linkTo = (show, name) =>
  element('a', { href: `#show=${show}`, dir: 'auto', ariaCurrent: String(show === at.show) }, name);

/** Fills a part of the page. A newer run, or the end of the outer one, ends this one. An error is shown in its place. */
async function fill(part, work, outer = session.signal) {
  part.run?.abort();
  part.run = new AbortController();
  const signal = AbortSignal.any([part.run.signal, outer]);
  part.ariaBusy = 'true';
  const content = await work(signal).catch(({ message }) => [
    element('p', { className: 'error', role: 'alert' }, message),
    button('Try again', () => fill(part, work, outer)),
  ]);
  if (signal.aborted) return;
  part.replaceChildren(...content.filter(Boolean));
  part.ariaBusy = 'false';
}

/** A page of a list, and a button for the next one. */
async function pageOf(path, itemsOf, none, signal) {
  const response = await get(path, signal);
  const { data } = await response.json();
  const next = /<([^>]*)>; rel="next"/.exec(response.headers.get('Link'))?.[1];
  const rest = element('div');
  const more = button('More', async () => {
    await fill(rest, (own) => pageOf(next, itemsOf, none, own), signal);
    rest.querySelector('a, button')?.focus();
  });
  if (next) rest.append(more);
  return [data.length > 0 ? element('ul', {}, await itemsOf(data, signal)) : element('p', {}, none), rest];
}

function section(title, path, itemsOf, none, outer) {
  const part = element('div');
  fill(part, (signal) => pageOf(path, itemsOf, none, signal), outer);
  return element('section', {}, element('h3', {}, title), part);
}

const marksOf = (api) => [mark(api.lifecycleStatus), endOf(api), api.tags.map((tag) => mark(tag, 'tag'))];
const organizationItems = (all) =>
  all.map(({ _id, name, note, description }) => item(linkTo(`organizations/${_id}`, name), [note ?? description]));
const managerItems = (all) => all.map(({ username, companyName, email }) => item(username, [companyName, mail(email)]));

async function apiItems(apis, signal) {
  const ids = new Set(apis.map(({ organizationId }) => organizationId));
  const { data } = await read(`organizations?id=${[...ids]}`, signal);
  const textsOf = ({ organizationId: id, version }) => [data.find(({ _id }) => _id === id)?.name, version];
  return apis.map((api) => item(linkTo(`apis/${api._id}`, api.name), textsOf(api), marksOf(api)));
}

async function logoOf({ name, organizationLogoFileId: id }, signal) {
  const file = id && (await get(`files/${id}`, signal).catch(() => null));
  const src = file && URL.createObjectURL(await file.blob());
  return src && element('img', { alt: `Logo of ${name}`, src, onload: () => URL.revokeObjectURL(src) });
}

const views = {
  async apis(api, signal) {
    const owner = await read(`organizations/${api.organizationId}`, signal);
    const contact = contactOf(api);
    const next = `apis/${api.successorId}`;
    const rows = {
      'Published by': [await logoOf(owner, signal), linkTo(`organizations/${owner._id}`, owner.name)],
      Version: api.version,
      Successor: api.successorId && (await read(next, signal).then(({ name }) => linkTo(next, name), messageOf)),
      Contact: contact.length > 0 ? contact : contactOf(owner),
      Address: web(api.url),
      Documentation: web(api.documentationUrl),
      Definition: web(api.definitionUrl),
    };
    const marks = element('p', {}, marksOf(api), !api.isPublic && mark('private'));
    const path = `apis/${api._id}/consumers?limit=50`;
    return [marks, facts(rows), section('Who uses it', path, organizationItems, 'Nobody has said so.', signal)];
  },
  async organizations(organization, signal) {
    const { _id, url } = organization;
    const list = (title, path, itemsOf) => section(title, path, itemsOf, 'None that you may see.', signal);
    return [
      await logoOf(organization, signal),
      facts({ 'Web address': web(url), Contact: contactOf(organization) }),
      list('Managers', `organizations/${_id}/managers?limit=50`, managerItems),
      list('APIs', `organizations/${_id}/apis?limit=50`, apiItems),
      list('APIs that it uses', `apis?consumerId=${_id}&limit=50`, apiItems),
    ];
  },
};

function showList({ list, q }) {
  const path = `${list}?${new URLSearchParams({ limit: 50, ...(q && { q }) })}`;
  const none = q ? `Nothing contains “${q}”.` : 'There is nothing here yet.';
  return fill(byId('list'), (signal) => pageOf(path, list === 'apis' ? apiItems : organizationItems, none, signal));
}

async function showRecord({ list, q, show }, before) {
  document.title = TITLE;
  await fill(byId('record'), async (signal) => {
    if (!show) return ['Choose one to see its contact, its end, and who uses it.'];
    const record = await read(show, signal);
    document.title = `${record.name} – ${TITLE}`;
    const back = element('a', { href: `#${new URLSearchParams({ list, q })}`, id: 'back' }, 'Back to the list');
    const title = element('h2', { tabIndex: -1, dir: 'auto' }, record.name);
    const text = element('p', { className: 'text', dir: 'auto' }, record.description);
    return [back, title, text, ...(await views[show.split('/')[0]](record, signal))];
  });
  if (!show) await listed; // on the way back, it can come after the record
  if (before === undefined || show !== at.show) return;
  document.querySelector(show ? '#record h2' : `#list [href="#show=${before}"]`)?.focus();
}

function render() {
  if (!login) return;
  const before = at;
  const { list = at.list, q = at.q ?? '', show = '' } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  at = { list: list === 'organizations' ? list : 'apis', q, show: RECORD.test(show) ? show : '' };
  history.replaceState(null, '', `#${new URLSearchParams(at)}`);
  if (at.list !== before.list || at.q !== before.q) listed = showList(at);
  if (at.show !== before.show) showRecord(at, before.show);
  byId('catalog').className = at.show ? 'shows-record' : '';
  const current = [`#list=${at.list}&q=`, `#show=${at.show}`];
  for (const link of document.querySelectorAll('nav a, #list a')) link.ariaCurrent = current.includes(link.hash);
}

/** After a link, Back and a login, the field shows the search of the address. Typing leaves the field alone. */
function follow() {
  render();
  byId('q').value = at.q ?? '';
}

let typing, listed;
for (const event of ['input', 'compositionend'])
  byId('q').addEventListener(event, ({ target, isComposing }) => {
    const find = () => {
      history.replaceState(null, '', `#${new URLSearchParams({ ...at, q: target.value.trim() })}`);
      render();
    };
    clearTimeout(typing);
    if (!isComposing) typing = setTimeout(find, 250);
  });

byId('sign-in').addEventListener('submit', async (event) => {
  event.preventDefault();
  const { key, username: name, password } = Object.fromEntries(new FormData(event.target));
  event.target.reset();
  try {
    if (key) keep({ key: key.trim() });
    else {
      const body = JSON.stringify({ [name.includes('@') ? 'email' : 'username']: name, password });
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body };
      const { _id, accessToken } = (await (await send('sessions', init)).json()).data;
      keep({ _id, accessToken });
    }
    byId('q').focus();
  } catch ({ message }) {
    ask(message);
  }
});

byId('sign-out').addEventListener('click', () => {
  if (login._id) send(`sessions/${login._id}`, { method: 'DELETE', headers: authorized(login) }).catch(() => {});
  ask();
});

addEventListener('hashchange', follow);
keep(login);
