import { isConnectionLost } from './database-errors';

/**
 * Reads once more after the connection was closed or another member became the primary, as the driver's `retryReads`
 * would. That also repeats reads that timed out, which would keep a slow database busy with each of them twice.
 */
export async function repeatRead<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    return read();
  }
}
