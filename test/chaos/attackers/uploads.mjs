import { connect } from 'node:net';
import { filePart, form, FORM_TYPE, png } from '../../support/uploads.mjs';
import { addressOf, count, flood, orders } from './attack.mjs';

/** Sends all but the last byte of an upload, and waits until the service closes the connection. */
const body = form(filePart(png(1, 1, 1_000_000)));
const { hostname, port } = new URL(orders.base);

flood(
  (connection) =>
    new Promise((resolve) => {
      const socket = connect({ host: hostname, port, localAddress: addressOf(connection) }, () => {
        socket.write(
          `POST /files HTTP/1.1\r\nHost: roster\r\nAuthorization: Bearer ${orders.tokens[connection % orders.tokens.length]}\r\n` +
            `Content-Type: ${FORM_TYPE['content-type']}\r\nContent-Length: ${body.length}\r\n\r\n`,
        );
        socket.write(body.subarray(0, -1));
      });
      socket.once('data', (chunk) => count(/^HTTP\/1.1 (\d+)/.exec(chunk)?.[1] ?? 'no HTTP'));
      socket.on('error', () => undefined).on('close', () => resolve('closed'));
    }),
  500,
);
