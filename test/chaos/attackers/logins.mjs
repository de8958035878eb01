import { Client } from '../../support/http-client.mjs';
import { addressOf, flood, orders } from './attack.mjs';

/** With 400 connections this is up to 400 logins a second: the hashes are flooded, not the network. */
const PAUSE_MS = 1000;

/** Guesses passwords: of people that exist, and of names that do not. */
const clients = Array.from(
  { length: orders.connections },
  (_, connection) => new Client(orders.base, { address: addressOf(connection) }),
);
let number = 0;
flood(async (connection) => {
  number += 1;
  const username = number % 2 === 0 ? orders.usernames[number % orders.usernames.length] : `unknown-${number}`;
  const { status, error } = await clients[connection].send('POST', '/sessions', {
    username,
    password: `guess ${number}`,
  });
  return error ?? status;
}, PAUSE_MS);
