/**
 * Waits no longer than this for work of a server that may hang. The work itself goes on, and its end is nobody's.
 *
 * @param late makes the error for work that takes longer
 * @returns what `work` gives
 * @throws what `work` throws, or the error of `late`
 */
export async function withTimeout<T>(milliseconds: number, work: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), milliseconds).unref();
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}
