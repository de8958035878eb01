import { Client } from '../../support/http-client.mjs';
import { createPeople, passwordOf, withstand } from '../lib/flood.mjs';
import { repeat, startService } from '../lib/programs.mjs';
import { percentile } from '../lib/report.mjs';

export const title = 'Wrong logins on 400 connections from 200 addresses, up to 400 a second';

const CONNECTIONS = 400;
/** They log in from an address that is known to their accounts. */
const HONEST = ['ada', 'bob', 'cyd'];
/** The pause between two logins of one of them (ms): 40 a minute, below the limit of 60. */
const PAUSE_MS = 1500;
/** Goal: this share of the honest logins succeeds within this time (s). */
const SHARE = 0.95;
const WITHIN_S = 1;

export async function run(context) {
  const { service } = await startService();
  const [other] = await createPeople(service, ['other', ...HONEST]);
  const logins = [];
  const meanwhile = async (seconds) => {
    const logIn = (username) =>
      new Client(service.base, { keepAlive: false }).send('POST', '/sessions', { username, ...passwordOf(username) });
    const all = HONEST.map((username) => repeat(seconds, PAUSE_MS, () => logIn(username)));
    logins.push(...(await Promise.all(all)).flat());
  };
  const orders = { connections: CONNECTIONS, usernames: HONEST };
  await withstand(context, { service, other, attacker: 'logins', orders, meanwhile });

  const { report } = context;
  const quick = logins.filter(({ status, seconds }) => status === 201 && seconds <= WITHIN_S);
  const seconds = logins.map((login) => login.seconds);
  report.note(
    `Honest logins: median ${percentile(seconds, 0.5).toFixed(2)} s, slowest ${Math.max(...seconds).toFixed(2)} s`,
  );
  report.notes(logins.filter(({ status }) => status !== 201).map(({ status }) => `Status ${status}`));
  const what = `of ${logins.length} honest logins succeeded within ${WITHIN_S} s`;
  report.atLeast(what, Math.round((quick.length / logins.length) * 100), SHARE * 100, '%');
}
