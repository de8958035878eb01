import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/** Starts a receiver of webhooks on a free loopback port, which remembers all requests. */
export async function startReceiver() {
  const changes = new EventEmitter();
  const server = createServer(async (request, response) => {
    const received = { headers: request.headers, body: await text(request), isAcknowledged: false };
    receiver.requests.push(received);
    changes.emit('change');
    const status = await receiver.respond(receiver.requests);
    if (status === 'hang') return;
    if (status === 'close') return request.destroy();
    received.isAcknowledged = status < 300;
    response.writeHead(status, { Location: '/' }).end(() => changes.emit('change'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const until = async (condition) => {
    while (!condition()) await once(changes, 'change');
  };
  const receiver = {
    address: `http://127.0.0.1:${server.address().port}`,
    requests: [],
    /** Says what to respond to the last of the requests: a status, 'hang', or 'close'. */
    respond: () => 204,
    ids: () => receiver.requests.map(({ headers }) => headers['webhook-id']),
    /** Waits for this number of requests. */
    requested: (count) => until(() => receiver.requests.length >= count),
    acknowledged: (count) =>
      until(() => receiver.requests.filter(({ isAcknowledged }) => isAcknowledged).length >= count),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return receiver;
}
