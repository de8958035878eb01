import { logInFixtures, startService } from './fixtures.mjs';

/** The fixtures that the steps share, on a service of their own or on that of ROSTER_URL. */

export const CORS_ORIGIN = process.env.ROSTER_CORS_ORIGIN ?? 'https://app.example';
const { ROSTER_URL, ROSTER_ADMIN: username, ROSTER_PASSWORD: password } = process.env;

export const { anyone, admin, newUser, alice, bob } = ROSTER_URL
  ? await logInFixtures(ROSTER_URL, { username, password })
  : await logInFixtures((await startService({ CORS_ORIGINS: CORS_ORIGIN })).base);
