/** Tries again until it holds, or the test's time is over. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await new Promise(setImmediate);
}

/** The status of a GET; 0 when nothing listens. */
export function statusOf(path: string, port: number): Promise<number> {
  return fetch(`http://127.0.0.1:${port}${path}`).then(
    ({ status }) => status,
    () => 0,
  );
}
