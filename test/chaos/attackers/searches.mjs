import { Client } from '../../support/http-client.mjs';
import { flood, orders } from './attack.mjs';

/** Searches for what no record has. */
const { base, token } = orders;
const clients = Array.from({ length: orders.connections }, () => new Client(base, { token, address: '127.1.0.1' }));
let number = 0;
flood(async (connection) => {
  number += 1;
  const { status, error } = await clients[connection].get(`/organizations?q=nothing+has+${number}`);
  return error ?? status;
}, 200);
