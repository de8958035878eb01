import { Client } from '../../support/http-client.mjs';
import { flood, orders } from './attack.mjs';

/** Adds and removes somebody as a Manager of its Organizations, each connection of one after another. */
const { base, token, organizations, userId } = orders;
const clients = Array.from({ length: orders.connections }, () => new Client(base, { token, address: orders.address }));
const turns = clients.map((_, connection) => connection);
flood(async (connection) => {
  const path = `/organizations/${organizations[turns[connection] % organizations.length]}/managers`;
  turns[connection] += 1;
  await clients[connection].send('DELETE', `${path}/${userId}`);
  const { status, body, error } = await clients[connection].send('POST', path, { userId });
  return error ?? body?.code ?? status;
});
