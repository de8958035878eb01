/**
 * Fills a registry that runs with an example company, by its HTTP API alone:
 *   node examples/demo/fill.mjs http://127.0.0.1:3000 admin <password of the Admin>
 * Each record is found by its username or `externalId`; what exists stays as it is. It has no dependencies.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const [url = 'http://127.0.0.1:3000', username = 'admin', password] = parseArgs({ allowPositionals: true }).positionals;
const { employers, organizations, apis } = JSON.parse(readFileSync(new URL('company.json', import.meta.url), 'utf8'));
/** Published here: everybody of the company logs in with it. */
const PASSWORD = 'a demo of the registry';

const slugOf = (name) => name.toLowerCase().replaceAll(' ', '-');
const idOf = (name) => `demo-${slugOf(name)}`;
const employerOf = (person) => employers.find(({ people }) => people.includes(person));
const endOfMonth = (months) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months + 1, 0)).toISOString().slice(0, 10);
};

/** Sends a request, and returns the body; an error ends the program with what the service says. */
async function send(token, method, path, body) {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  if (body && !(body instanceof FormData)) headers['content-type'] = 'application/json';
  const response = await fetch(url + path, {
    method,
    headers,
    body: headers['content-type'] ? JSON.stringify(body) : body,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text && JSON.parse(text).data;
}

const logIn = async (login) => (await send(undefined, 'POST', '/sessions', login)).accessToken;
const admin = await logIn({ username, password });
let added = 0;

/** The record that a list finds, or the one that `add` creates. */
async function ensure(path, add) {
  const [found] = await send(admin, 'GET', path);
  if (found) return found;
  added += 1;
  return add();
}

const users = {};
for (const { companyName, domain, people } of employers)
  for (const person of people) {
    const user = { username: person, email: `${person}@${domain}`, companyName, password: PASSWORD };
    users[person] = await ensure(`/users?username=${person}`, () => send(admin, 'POST', '/users', user));
  }

const tokens = {};
const as = async (person) => (tokens[person] ??= await logIn({ username: person, password: PASSWORD }));
const owners = {};
for (const [name, { description, managers }] of Object.entries(organizations))
  owners[name] = await ensure(`/organizations?externalId=${idOf(name)}`, async () => {
    const { domain } = employerOf(managers[0]);
    const host = domain.startsWith(slugOf(name)) ? domain : `${slugOf(name)}.${domain}`;
    const token = await as(managers[0]);
    const form = new FormData();
    const logo = readFileSync(new URL(`logos/${slugOf(name)}.png`, import.meta.url));
    form.set('file', new Blob([logo]), `${slugOf(name)}.png`);
    const { _id: organizationLogoFileId } = await send(token, 'POST', '/files', form);
    const contact = { contactName: `${name} team`, contactEmail: `help@${host}` };
    const fields = { name, description, url: `https://${host}`, organizationLogoFileId, ...contact };
    const created = await send(token, 'POST', '/organizations', fields);
    for (const other of managers.slice(1))
      await send(token, 'POST', `/organizations/${created._id}/managers`, { userId: users[other]._id });
    // Only an Admin sets the id of another system.
    const shown = await send(admin, 'GET', `/organizations?id=${created._id}`);
    return send(admin, 'PUT', `/organizations/${created._id}`, { ...shown[0], externalId: idOf(name) });
  });

const made = {};
for (const [name, { by, end, usedBy: _usedBy, ...fields }] of Object.entries(apis)) {
  const path = `/organizations/${owners[by]._id}/apis`;
  made[name] = await ensure(`${path}?externalId=${idOf(name)}`, async () => {
    const { domain } = employerOf(organizations[by].managers[0]);
    return send(await as(organizations[by].managers[0]), 'POST', path, {
      ...{ name, externalId: idOf(name), isPublic: true, definitionType: 'openapi' },
      url: `https://api.${domain}/${slugOf(name)}`,
      documentationUrl: `https://developer.${domain}/${slugOf(name)}`,
      definitionUrl: `https://developer.${domain}/${slugOf(name)}/definition`,
      ...(end && { sunsetAt: endOfMonth(end.inMonths), successorId: made[end.successor]._id }),
      ...fields,
    });
  });
}

for (const [name, { usedBy = {} }] of Object.entries(apis))
  for (const [consumer, note] of Object.entries(usedBy)) {
    const path = `/apis/${made[name]._id}/consumers`;
    const consumers = await send(admin, 'GET', `${path}?limit=100`);
    if (consumers.some(({ _id }) => _id === owners[consumer]._id)) continue;
    added += 1;
    // Only Managers and Admins see a private API, and add Consumers to some others.
    const isOpen = (apis[name].isPublic ?? true) && (apis[name].acceptsConsumers ?? true);
    const token = !isOpen ? admin : await as(organizations[consumer].managers[0]);
    await send(token, 'POST', path, { organizationId: owners[consumer]._id, note });
  }

const people = employers.flatMap((employer) => employer.people);
process.stdout.write(`Added ${added} records. Log in as ${people.join(', ')} with the password "${PASSWORD}".\n`);
