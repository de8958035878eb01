/** Takes each lock whose path its parent sends, and sends back whether it got it. Holds them until it is killed. */
import { LockHeld, ProcessLock } from '../../tools/embedded-database/process-lock.mjs';

process.on('message', (path) => {
  try {
    ProcessLock.take(path);
    process.send(true);
  } catch (error) {
    if (!(error instanceof LockHeld)) throw error;
    process.send(false);
  }
});
process.send('ready');
