/** `node attacker.mjs NAME ORDERS`: attacks a service until SIGTERM, then prints how often each response occurred. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../support/http-client.mjs';
import { filePart, form, FORM_TYPE, png } from '../support/uploads.mjs';

const [, , name, text] = process.argv;
const orders = JSON.parse(text);
const upload = form(filePart(png(1, 1, 1_000_000)));

/** @type {Record<string, number>} how often each response, or error, occurred */
const counts = {};
const count = (outcome) => (counts[outcome] = (counts[outcome] ?? 0) + 1);
process.once('SIGTERM', () => process.stdout.write(`${JSON.stringify(counts)}\n`, () => process.exit()));

/** Numbers the requests. */
let number = 0;

/** By name: the least pause between two calls of a connection (ms), and what makes a connection's calls. */
const ATTACKS = {
  /** Guesses passwords, of people that exist and of others: 400 connections flood the hashes, not the network. */
  logins: [
    1000,
    (connection) => {
      const client = new Client(orders.base, { address: addressOf(connection) });
      return async () => {
        number += 1;
        const { usernames } = orders;
        const username = number % 2 === 0 ? usernames[number % usernames.length] : `unknown-${number}`;
        const { status, error } = await client.send('POST', '/sessions', { username, password: `guess ${number}` });
        return error ?? status;
      };
    },
  ],
  /** Adds and removes somebody as a Manager of one Organization after another. */
  managers: [
    0,
    (connection) => {
      const { base, token, address, organizations, userId } = orders;
      const client = new Client(base, { token, address });
      let turn = connection;
      return async () => {
        const path = `/organizations/${organizations[turn % organizations.length]}/managers`;
        turn += 1;
        await client.send('DELETE', `${path}/${userId}`);
        const { status, body, error } = await client.send('POST', path, { userId });
        return error ?? body?.code ?? status;
      };
    },
  ],
  /** Searches for what no record has, or as `query` and `headers` say. */
  searches: [
    200,
    () => {
      const { query = 'q=nothing+has+', headers } = orders;
      const client = new Client(orders.base, { token: orders.token, address: '127.1.0.1' });
      return async () => {
        number += 1;
        const { status, error } = await client.send('GET', `/organizations?${query}${number}`, undefined, headers);
        return error ?? status;
      };
    },
  ],
  /** Is silent, sends a byte per second, or does not read its response. */
  slow: [
    500,
    (connection) => () =>
      untilClosed(connection, (socket) => {
        const request = headOf('GET', orders.large, orders.token);
        const kind = ['silent', 'slow', 'non-reading'][connection % 3];
        if (kind === 'slow') {
          let sent = 0;
          const timer = setInterval(() => socket.write(request[(sent += 1) - 1]), 1000);
          socket.on('close', () => clearInterval(timer));
        }
        if (kind === 'non-reading') socket.pause().write(request);
        else socket.resume();
        return `${kind} closed`;
      }),
  ],
  /** Sends all but the last byte of an upload, and waits until the service closes the connection. */
  uploads: [
    500,
    (connection) => () =>
      untilClosed(connection, (socket) => {
        const token = orders.tokens[connection % orders.tokens.length];
        socket.write(headOf('POST', '/files', token, { ...FORM_TYPE, 'content-length': upload.length }));
        socket.write(upload.subarray(0, -1));
        socket.once('data', (chunk) => count(/^HTTP\/1.1 (\d+)/.exec(chunk)?.[1] ?? 'no HTTP'));
        return 'closed';
      }),
  ],
};

/** @returns {string} one of 200 addresses */
function addressOf(connection) {
  return `127.1.0.${1 + (connection % 200)}`;
}

function headOf(method, path, token, headers = {}) {
  const all = Object.entries({ host: 'roster', authorization: `Bearer ${token}`, ...headers });
  return `${method} ${path} HTTP/1.1\r\n${all.map(([key, value]) => `${key}: ${value}\r\n`).join('')}\r\n`;
}

/** Opens a connection. @returns what `behave` returns, once it is closed */
function untilClosed(connection, behave) {
  const { hostname, port } = new URL(orders.base);
  return new Promise((resolve) => {
    let outcome = 'refused';
    const socket = connect({ host: hostname, port, localAddress: addressOf(connection) });
    socket.on('connect', () => (outcome = behave(socket))).on('error', () => undefined);
    socket.on('close', () => resolve(outcome));
  });
}

const [pauseMs, prepare] = ATTACKS[name];
for (let connection = 0; connection < orders.connections; connection += 1) {
  const attack = prepare(connection);
  void (async () => {
    for (let pause = sleep(Math.random() * pauseMs); ;) {
      await pause;
      pause = sleep(pauseMs);
      count(await attack());
    }
  })();
}
