/**
 * `npm run seed`: fills a registry that runs with an example company, by its HTTP API alone. PASSWORD is the password of
 * the first Admin, ROSTER the address. Records that exist stay as they are. It has no dependencies.
 */
import { existsSync, readFileSync } from 'node:fs';

const { ROSTER: url = 'http://127.0.0.1:3000', PASSWORD: adminPassword } = process.env;
const [, , adminName = 'admin'] = process.argv;
const { employers, organizations, apis } = JSON.parse(readFileSync(new URL('company.json', import.meta.url), 'utf8'));
/** Published here: everybody of the company logs in with it. */
const COMPANY_PASSWORD = 'a demo of the registry';

const RESET = 'npm run admin -- reset-password';
const NO_PASSWORD = `Set PASSWORD to the password of ${adminName}, which the first start printed. Lost it? Run: ${RESET} ${adminName}`;
const NOT_RUNNING = `No service responds at ${url}. Run \`npm start\` in another terminal, or set ROSTER to the address.`;

/** Ends the program with a sentence. */
function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const slugOf = (name) => name.toLowerCase().replaceAll(' ', '-');
const employerOf = (person) => employers.find(({ people }) => people.includes(person));
const endOfMonth = (months) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months + 1, 0)).toISOString().slice(0, 10);
};

/** Sends a request, and returns the data of the response; an error ends the program with what the service says. */
async function send(token, method, path, fields) {
  const isForm = fields instanceof FormData;
  const headers = { ...(token && { authorization: `Bearer ${token}` }) };
  if (fields && !isForm) headers['content-type'] = 'application/json';
  const body = isForm ? fields : JSON.stringify(fields);
  const response = await fetch(url + path, { method, headers, body }).catch(() => fail(NOT_RUNNING));
  const text = await response.text();
  if (response.status === 401)
    fail(`${fields.username} has another password. Lost it? Run: ${RESET} ${fields.username}`);
  if (!response.ok) fail(`${method} ${path}: ${response.status} ${text}`);
  return text && JSON.parse(text).data;
}

if (!adminPassword) fail(NO_PASSWORD);
const logIn = async (username, password) => (await send('', 'POST', '/sessions', { username, password })).accessToken;
const admin = await logIn(adminName, adminPassword);
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
    const user = { username: person, email: `${person}@${domain}`, companyName, password: COMPANY_PASSWORD };
    users[person] = await ensure(`/users?username=${person}`, () => send(admin, 'POST', '/users', user));
  }

const tokens = {};
const as = async (person) => (tokens[person] ??= await logIn(person, COMPANY_PASSWORD));
const owners = {};
for (const [name, { managers, ...given }] of Object.entries(organizations))
  owners[name] = await ensure(`/organizations?slug=${slugOf(name)}`, async () => {
    const { domain } = employerOf(managers[0]);
    const host = domain.startsWith(slugOf(name)) ? domain : `${slugOf(name)}.${domain}`;
    const token = await as(managers[0]);
    const contact = { contactName: `${name} team`, contactEmail: `help@${host}` };
    const fields = { name, url: `https://${host}`, ...contact, ...given };
    const logo = new URL(`logos/${slugOf(name)}.png`, import.meta.url);
    if (existsSync(logo)) {
      const form = new FormData();
      form.set('file', new Blob([readFileSync(logo)]), `${slugOf(name)}.png`);
      fields.organizationLogoFileId = (await send(token, 'POST', '/files', form))._id;
    }
    const created = await send(token, 'POST', '/organizations', fields);
    for (const other of managers.slice(1))
      await send(token, 'POST', `/organizations/${created._id}/managers`, { userId: users[other]._id });
    return created;
  });

const made = {};
for (const [name, { by, end, usedBy: _usedBy, ...fields }] of Object.entries(apis)) {
  const path = `/organizations/${owners[by]._id}/apis`;
  made[name] = await ensure(`${path}?externalId=demo-${slugOf(name)}`, async () => {
    const { domain } = employerOf(organizations[by].managers[0]);
    return send(await as(organizations[by].managers[0]), 'POST', path, {
      ...{ name, externalId: `demo-${slugOf(name)}`, isPublic: true, definitionType: 'openapi' },
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
process.stdout.write(
  `Added ${added} records. Log in as ${people.join(', ')} with the password "${COMPANY_PASSWORD}".\n`,
);
