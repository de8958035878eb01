/**
 * Import this first: a start that is stopped by SIGINT or SIGTERM before the service handles them is no error, so the
 * exit code is 0.
 */
let stopped = false;

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    stopped = true;
    // If another listener ends this process, or passes the signal on to the service, wait for that.
    if (process.listenerCount(signal) === 0) process.exit(0);
  });
}

process.on('exit', (code) => {
  if (stopped && code > 128) process.exitCode = 0;
});
