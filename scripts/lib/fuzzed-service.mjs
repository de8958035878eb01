import { ADMIN, startOwnService } from './own-service.mjs';
import { SetupError } from './steps.mjs';

const MANAGER = { username: 'manager', email: 'manager@roster.example', password: 'the password of a Manager' };
const SETTINGS = { RATE_LIMIT_PER_MINUTE: '0', LOGIN_RATE_LIMIT_PER_MINUTE: '0', ACCESS_TOKEN_TTL: '86400' };

/**
 * Starts the built service on a database of its own, without request limits.
 *
 * @param {string} node the Node.js to use
 * @throws {SetupError} if it does not start
 */
export async function startFuzzedService(node) {
  const { address, stop } = await startOwnService(node, SETTINGS);
  return { ...clientOf(address), stop };
}

function clientOf(address) {
  return {
    document: `${address}/openapi.json`,
    credentials: (role) => credentials(address, role),
    isGood: (token) => isGood(address, token),
  };
}

/** Returns a token of the role, and the ids of its account and session. A Manager gets an Organization with an API. */
async function credentials(address, role) {
  if (role === 'nobody') return { token: undefined, ids: [] };
  const admin = await logIn(address, ADMIN);
  if (role === 'admin') return admin;
  if (role !== 'manager') throw new SetupError(`There is no role "${role}".`);
  await post(address, '/users', { ...MANAGER, companyName: 'Managers' }, admin.token);
  const manager = await logIn(address, MANAGER);
  const organization = await post(
    address,
    '/organizations',
    { name: 'Kept', url: 'https://kept.example' },
    manager.token,
  );
  const api = { name: 'Kept', url: 'https://kept.example/api' };
  await post(address, `/organizations/${organization._id}/apis`, api, manager.token);
  return manager;
}

async function logIn(address, { username, password }) {
  const { accessToken, _id, user } = await post(address, '/sessions', { username, password });
  return { token: accessToken, ids: [_id, user._id] };
}

async function post(address, path, body, token) {
  const headers = { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (response.status !== 201) throw new SetupError(`POST ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()).data;
}

/** Whether a token still works. */
async function isGood(address, token) {
  const response = await fetch(`${address}/sessions`, { headers: { Authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response.ok;
}
