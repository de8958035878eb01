// What Managers change here: what goes stale in an API, who uses it, and who manages its Organization.
import { button, day, element, field, form, inDays, input, item, paragraph, select, ul } from './elements.mjs';
import { read, readAll, write } from './http.mjs';
import { STATUSES } from './lists.mjs';
import { fill } from './parts.mjs';

const LIFE = { lifecycleStatus: 'Status', version: 'Version', sunsetAt: 'Ends on', successorId: 'Replaced by' };
const CONTACT = { contactName: 'Contact', contactEmail: 'E-mail address', contactPhone: 'Telephone' };
const LABELS = { ...LIFE, ...CONTACT, contactUrl: 'Web page for questions', reviewedAt: 'Reviewed' };
/** What is not edited here has the words of its name: `documentationUrl` is "Documentation url". */
export const labelOf = (name) =>
  LABELS[name] ?? name.replace(/^.|[A-Z]/g, (one, index) => (index ? ` ${one.toLowerCase()}` : one.toUpperCase()));
/** The fields of an API that are edited here; `reviewedAt` has a button. */
const EDITED = Object.keys(LABELS).filter((name) => name !== 'reviewedAt');
/** Shows the record and the list again, and says what was done. */
const changed = (detail) => dispatchEvent(new CustomEvent('changed', { detail }));

/** Replaces an API. If somebody else has changed it since it was read, the error says what, and the next try may work. */
async function save(api, changes, names = {}) {
  const path = `apis/${api._id}`;
  await write('PUT', path, { ...api, ...changes }, api.etag).catch(async (error) => {
    if (error.status !== 412) throw error;
    const before = { ...api };
    Object.assign(api, await read(path));
    const text = (value) => names[value] ?? value ?? '–';
    const list = Object.keys(api)
      .filter((name) => !['etag', 'updatedAt'].includes(name) && String(api[name]) !== String(before[name]))
      .map((name) => `${labelOf(name)}: ${text(before[name])} → ${text(api[name])}`);
    const message = ['Somebody else has changed this API. Try again to make your changes, too.', ...list];
    throw Object.assign(error, { message: message.map(paragraph) });
  });
}

/** "Edit" and "Still right". */
export function apiActions(api, owner) {
  const place = element('div');
  const cancel = button('Cancel', () => {
    place.replaceChildren();
    actions.disabled = false;
    edit.focus();
  });
  const edit = button('Edit', async () => {
    actions.disabled = true; // what is typed is not lost
    await fill(place, async (signal) => [await apiForm(api, owner, signal), cancel]);
    place.querySelector('select')?.focus();
  });
  const stillRight = form('Still right', [], async () => {
    await save(api, { reviewedAt: inDays(0) });
    changed('Marked as reviewed today.');
  });
  const actions = element('fieldset', { className: 'actions' }, edit, stillRight);
  return [actions, place];
}

async function apiForm(api, owner, signal) {
  const siblings = await readAll(`organizations/${api.organizationId}/apis?limit=100&sort=name`, signal);
  const others = siblings.filter(({ _id }) => _id !== api._id).map(({ _id, name }) => [_id, name]);
  const options = { lifecycleStatus: STATUSES.map((one) => [one]), successorId: [['', '–'], ...others] };
  // A field for dates takes no time.
  const type = (name) => (name === 'sunsetAt' && !(api.sunsetAt?.length > 10) ? 'date' : 'text');
  const controlOf = (name) =>
    options[name] ? select(LABELS[name], name, options[name]) : input(LABELS[name], name, { type: type(name) });
  const show = (values) => EDITED.forEach((name) => (own.elements[name].value = values[name] ?? ''));
  const hint = paragraph(`Leave all four empty to use the contact of ${owner.name}.`);
  const fields = EDITED.map(controlOf).toSpliced(EDITED.indexOf('contactName'), 0, hint);
  const own = form('Save', fields, async (values) => {
    const entries = EDITED.map((name) => [name, values[name].trim() || null]);
    const changes = Object.fromEntries(entries.filter(([name, value]) => value !== api[name]));
    await save(api, changes, Object.fromEntries(others)).finally(() => show({ ...api, ...changes }));
    changed('Saved.');
  });
  show(api);
  return own;
}
export function removeButton(api, { _id, name }) {
  const remove = async () => {
    if (!confirm(`Does ${name} no longer use ${api.name}?`)) return;
    await write('DELETE', `apis/${api._id}/consumers/${_id}`);
    changed(`${name} was removed.`);
  };
  return form('Remove', [], remove, `Remove ${name}`);
}

/** @param among the Organizations that the account may add: `organizations?…` */
export function consumerForm(api, among) {
  const names = element('datalist', { id: 'names' });
  const control = element('input', { name: 'organizationId', required: true, autocomplete: 'off' });
  control.setAttribute('list', names.id);
  control.oninput = async ({ isComposing, target: { value } }) => {
    if (isComposing || !value.trim()) return;
    const { data } = await read(`${among}limit=10&q=${encodeURIComponent(value)}`);
    if (control.value === value) names.replaceChildren(...data.map((one) => element('option', { value: one.name })));
  };
  const note = input('What it uses the API for', 'note', { maxLength: 500 });
  return form('Add', [field('Organization', control), names, note], async ({ organizationId: name, note }) => {
    const [found] = (await read(`${among}name=${encodeURIComponent(name)}`)).data;
    const unknown = ['organizationId', `“${name}” does not exist, or you may not add it.`];
    if (!found) throw Object.assign(new Error(), { fields: [unknown] });
    await write('POST', `apis/${api._id}/consumers`, { organizationId: found._id, note });
    changed(`${found.name} was added.`);
  });
}

/** The invitations that were not used yet, and a form for another one. */
export function invitations({ _id }, outer) {
  const path = `organizations/${_id}/invitations`;
  const [part, links] = [element('section'), element('div')];
  const show = () => fill(part, (signal) => read(path, signal).then(content, unlessRefused), outer);
  const invite = async ({ email }) => {
    const made = await write('POST', path, { email });
    const value = new URL(made.path, location.origin).href;
    const label = `Send this address to ${email}. It works once, until ${day(made.expiresAt)}.`;
    const copy = button('Copy', () => navigator.clipboard.writeText(value));
    links.prepend(input(label, 'link', { value, readOnly: true }), copy);
    await show();
    links.querySelector('input').focus();
  };
  const open = ({ _id: id, email, expiresAt }) => {
    const revoke = () => write('DELETE', `${path}/${id}`).then(show);
    return item(email, [`until ${day(expiresAt)}`], form('Revoke', [], revoke, `Revoke ${email}`));
  };
  const content = ({ data }) => [
    data.length > 0 && [element('h3', {}, 'Invited, not accepted yet'), ul(data.map(open))],
    element('h3', {}, 'Invite a Manager'),
    form('Invite', input('E-mail address', 'email', { required: true }), invite),
    links,
  ];
  const unlessRefused = (error) =>
    error.status === 403 ? [paragraph('Ask an Admin to invite Managers.')] : Promise.reject(error);
  show();
  return part;
}
