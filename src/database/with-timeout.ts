/**
 * Waits at most this long for work on a server that may hang. The work keeps running; its result is ignored.
 * @param onTimeout makes the error when the time is over
 * @returns what `work` returns
 * @throws what `work` throws, or the error of `onTimeout`
 */
export async function withTimeout<T>(milliseconds: number, work: Promise<T>, onTimeout: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(onTimeout()), milliseconds).unref();
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
