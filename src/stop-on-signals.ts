/** What a process has started and has to stop, the last first. */
export interface Started {
  /** Waits for something to start and remembers how it is stopped. */
  with<T>(starting: Promise<T>, stop: (started: T) => Promise<void>): Promise<T>;
  /** Says why the process cannot go on, stops everything, and exits with a failure. */
  fail(this: void, reason: Error): void;
}

/**
 * Lets SIGINT and SIGTERM end the process: what was started is stopped, what is still starting once it is there. A
 * signal that comes twice (the terminal's and npm's) is one.
 */
export function stopOnSignals(): Started {
  const stops: (() => Promise<void>)[] = [];
  let starting: Promise<unknown> = Promise.resolve();
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await starting.catch(() => undefined);
    for (const one of stops.reverse()) await one();
  };
  const end = (code: number): void => {
    stopping ??= stop().finally(() => process.exit(code));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(0));
  return {
    with: async (work, stopIt) => {
      // Nothing more is started once the end has begun.
      if (stopping) return new Promise(() => undefined);
      starting = work.then((started) => stops.push(() => stopIt(started)));
      const started = await work;
      await starting;
      return started;
    },
    fail: (reason) => {
      process.stderr.write(`${reason.message}\n`);
      end(1);
    },
  };
}
