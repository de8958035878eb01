import { env } from 'node:process';
import { logInFixtures, startService } from './fixtures.mjs';

/** The fixtures that the steps share, on a service of their own or on that of ROSTER_URL. */

export const CORS_ORIGIN = env.ROSTER_CORS_ORIGIN ?? 'https://app.example';
const account = { username: env.ROSTER_ADMIN, password: env.ROSTER_PASSWORD };

export const { anyone, admin, newUser, alice, bob } = env.ROSTER_URL
  ? await logInFixtures(env.ROSTER_URL, account)
  : await logInFixtures((await startService({ CORS_ORIGINS: CORS_ORIGIN })).base);
