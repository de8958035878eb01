import { env } from 'node:process';
import { after } from 'node:test';
import { handleSignals } from '../../scripts/lib/steps.mjs';
import { cleanUp } from '../chaos/lib/cleanup.mjs';
import { ADMIN, startService } from '../chaos/lib/service.mjs';
import { Client, userBody } from './client.mjs';
import { created } from './expect.mjs';

/**
 * The clients that the steps share: nobody, an Admin, and two Users who manage no Organization. The service is the built
 * one, on a database of its own, or that of ROSTER_URL, with ROSTER_ADMIN and ROSTER_PASSWORD.
 */
const { username, password } = env.ROSTER_URL ? { username: env.ROSTER_ADMIN, password: env.ROSTER_PASSWORD } : ADMIN;

export const anyone = new Client(env.ROSTER_URL ?? (await startOwn()));
export const admin = await new Client(anyone.base, { user: { username }, password }).newSession();
export const [alice, bob] = [await newUser(), await newUser()];

/** @returns {Promise<Client>} a new User, logged in */
export async function newUser() {
  const body = userBody();
  const user = created(await admin.post('/users', body));
  return new Client(anyone.base, { user, password: body.password }).newSession();
}

async function startOwn() {
  after(cleanUp);
  handleSignals(() => void cleanUp().then(() => process.exit(1)));
  const unlimited = { LOGIN_RATE_LIMIT_PER_MINUTE: '0', ORGANIZATIONS_PER_USER: '0', ACCESS_TOKEN_TTL: '900' };
  return (await startService(unlimited)).service.base;
}
