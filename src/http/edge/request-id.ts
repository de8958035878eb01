import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Trust } from './trust';

/** An id that a trusted proxy may choose (contract §2). */
const SAFE_ID = /^[\w.-]{1,64}$/;

/** Returns the function that names a request: as the trusted proxy that sent it does, otherwise by a new id. */
export function requestIds(trust: Trust | false): (request: IncomingMessage) => string {
  if (!trust) return () => randomUUID();
  return ({ headers, socket }) => {
    const id = headers['x-request-id'];
    const isAccepted = typeof id === 'string' && SAFE_ID.test(id) && trust(socket.remoteAddress ?? '', 0);
    return isAccepted ? id : randomUUID();
  };
}
