import type { Connection } from 'mongoose';
import { StartError } from '../config/start-error';
import { messageOf } from '../errors/message-of';

/**
 * Waits for the first connection of a command, which does not wait for a database as the service does.
 *
 * @throws StartError when the database cannot be reached
 */
export async function connect(connection: Connection): Promise<void> {
  await connection.asPromise().catch((cause: unknown) => {
    const advice = 'Start it, or correct MONGODB_URI.';
    throw new StartError(`Cannot reach the database: ${messageOf(cause)}. ${advice}`, { cause });
  });
}
