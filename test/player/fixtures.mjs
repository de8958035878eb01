import { after } from 'node:test';
import { cleanUp } from '../chaos/lib/cleanup.mjs';
import { ADMIN, startService as start } from '../chaos/lib/service.mjs';
import { Client, userBody } from './client.mjs';
import { created } from './expect.mjs';

const SETTINGS = {
  RATE_LIMIT_PER_MINUTE: '0',
  LOGIN_RATE_LIMIT_PER_MINUTE: '0',
  REGISTRATIONS_PER_HOUR: '0',
  ORGANIZATIONS_PER_USER: '0',
  ACCESS_TOKEN_TTL: '900',
};

/** Starts the built service, on a database of its own, until the tests of this file have ended. */
export async function startService(settings) {
  after(cleanUp);
  return (await start({ ...SETTINGS, ...settings })).service;
}

/**
 * Logs in an Admin, and creates two Users who manage no Organization.
 * @param {string} base the address of the service
 * @param {{username: string, password: string}} [account] an Admin
 */
export async function logInFixtures(base, { username, password } = ADMIN) {
  const anyone = new Client(base);
  const admin = await new Client(base, { user: { username }, password }).newSession();
  const newUser = async (fields) => {
    const { password: own, ...body } = userBody(fields);
    const user = created(await admin.post('/users', { ...body, password: own }));
    return new Client(base, { user, password: own }).newSession();
  };
  return { anyone, admin, newUser, alice: await newUser(), bob: await newUser() };
}
