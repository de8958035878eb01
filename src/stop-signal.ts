/** Is aborted by the first SIGINT, SIGTERM or SIGHUP, so a command can clean up. A second one ends the process. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}
