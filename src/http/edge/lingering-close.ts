import { Socket } from 'node:net';

/** How long a client may take to read an answer and to close, in milliseconds. */
const LINGER_MS = 2000;

const lingering = new WeakSet<Socket>();

/** Whether the connection is being closed: nothing may be written to it any more. */
export function isLingering(socket: Socket): boolean {
  return lingering.has(socket);
}

/**
 * Closes a connection whose client may still be sending (RFC 9112 §9.6). To destroy it at once would make the kernel
 * reset it, and a reset can take the answer from the client before it is read. So the sending side is closed, at most
 * `limit` bytes of what comes are discarded, further ones stay unread, and after two seconds the socket is destroyed.
 * @param limit bytes that are read and discarded at most, give or take the last chunk
 */
export function lingeringClose(socket: Socket, limit: number): void {
  if (socket.destroyed || lingering.has(socket)) return;
  lingering.add(socket);
  // Node calls it after an answer that was the connection's last.
  socket.destroySoon = () => undefined;
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.on('error', () => socket.destroy());
  socket.once('end', () => socket.destroy());
  discard(socket, limit);
  socket.end();
}

/** Takes the bytes away from the HTTP parser and counts them. */
function discard(socket: Socket, limit: number): void {
  let discarded = 0;
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > limit) socket.pause();
  });
  socket.resume();
}
