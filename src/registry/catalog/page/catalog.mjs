// Starts here: shows what the address says, to the account that has signed in.
import { at, hashOf, hashOfRecord, readAddress } from './address.mjs';
import { attention } from './attention.mjs';
import { byId, element, problem, select } from './elements.mjs';
import { forget, login, me } from './http.mjs';
import { linkView, takeToken } from './link.mjs';
import { showList, STATUSES } from './lists.mjs';
import { endSession, returnFromProvider, signInForms } from './login.mjs';
import { fill } from './parts.mjs';
import { recordView } from './records.mjs';

const TITLE = document.title;
const filters = byId('filters');
let listed, typing;
const start = () => follow(true);

function showMain(id) {
  for (const main of document.querySelectorAll('main')) {
    main.hidden = main.id !== id;
    if (main.hidden && main.id !== 'catalog') main.replaceChildren(); // no password stays in the page
  }
  byId('sign-out').hidden = id !== 'catalog';
}

/** Shows what the address says: a link that can be used once, or the catalog, after a login all of it. */
async function follow(isNew = false) {
  const token = takeToken();
  if (token) return showLink(token);
  if (!login) return ask();
  showMain('catalog');
  showChanges(readAddress(isNew ? {} : at));
  // Typing leaves the fields alone.
  for (const field of filters.elements) field[field.type === 'checkbox' ? 'checked' : 'value'] = at[field.name];
  if (isNew) filters.elements.q.focus();
  byId('account').textContent = (await me().catch(() => ({ username: '' }))).username;
}
/** @param before what was shown before */
function showChanges(before) {
  if (Object.keys(at).some((name) => name !== 'show' && at[name] !== before[name])) showItsList();
  if (at.show !== before.show) showRecord(at.show, before.show);
  byId('catalog').className = at.show ? 'shows-record' : '';
  byId('catalog').dataset.list = at.list;
  const current = [hashOf({ list: at.list }), hashOfRecord(at.show)];
  for (const link of document.querySelectorAll('nav a, #list a')) link.ariaCurrent = current.includes(link.hash);
}

function showItsList() {
  byId('count').replaceChildren();
  listed = at.list === 'attention' ? fill(byId('list'), attention) : showList(at);
}

async function showRecord(show, before) {
  document.title = TITLE;
  const none = ['Choose one to see its contact, its end, and who uses it.'];
  await fill(byId('record'), async (signal) => (show ? recordView(show, signal) : none));
  if (!show) await listed; // on the way back, it can come after the record
  if (show !== at.show) return;
  const heading = document.querySelector('#record h2');
  if (heading) document.title = `${heading.textContent} – ${TITLE}`;
  const target = show ? heading : document.querySelector(`#list [href="${hashOfRecord(before)}"]`);
  if (before !== undefined) target?.focus();
}

async function showLink(token) {
  showMain('link');
  await fill(byId('link'), () => linkView(token, start));
  byId('link').querySelector('h2')?.focus();
}

/** Asks for a login, and shows nothing more to the last account. */
function ask(why = '') {
  forget();
  for (const id of ['list', 'record', 'status', 'count', 'account']) byId(id).replaceChildren();
  document.title = TITLE;
  showMain('sign-in');
  byId('sign-in').replaceChildren(element('h2', {}, 'Sign in'), problem(why), ...signInForms(start));
  byId('sign-in').querySelector('input').focus();
}

function filter({ type }) {
  const hash = hashOf({ list: at.list, ...Object.fromEntries(new FormData(filters)), show: at.show });
  // Back leads to what a picker has replaced, but not to each text on the way to another.
  if (type === 'search') history.replaceState(null, '', hash);
  else history.pushState(null, '', hash);
  showChanges(readAddress());
}

for (const event of ['input', 'compositionend'])
  filters.addEventListener(event, ({ target, isComposing }) => {
    clearTimeout(typing);
    if (!isComposing) typing = setTimeout(filter, target.type === 'search' ? 250 : 0, target);
  });
filters.addEventListener('submit', (event) => event.preventDefault());
const any = ['', 'Any'];
const status = select('Status', 'status', [any, ...STATUSES.map((one) => [one])]);
const ends = select('End', 'ends', [any, ['90', 'Ends within 90 days'], ['365', 'Ends within a year']]);
filters.firstElementChild.after(status, ends);
for (const link of document.querySelectorAll('nav a')) link.hash = hashOf({ list: link.dataset.list });
byId('sign-out').addEventListener('click', () => ask(endSession()));
addEventListener('refused', ({ detail }) => ask(detail));
addEventListener('changed', ({ detail }) => {
  byId('status').textContent = detail;
  setTimeout(() => byId('status').replaceChildren(), 5_000);
  showItsList();
  showRecord(at.show, at.show);
});
addEventListener('hashchange', () => follow());
const explain = ({ message }) => ask(message);
await returnFromProvider().then(() => follow(), explain);
