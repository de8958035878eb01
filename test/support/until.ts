import { setTimeout } from 'node:timers/promises';

/** Time between two tries (ms). Without it, the tries take the processor from what they wait for. */
const PAUSE_MS = 10;

/** Tries again until it holds, or the test's time is over. For what another process does. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await setTimeout(PAUSE_MS);
}

/** The status of a GET; 0 when nothing listens. */
export function statusOf(path: string, port: number): Promise<number> {
  return fetch(`http://127.0.0.1:${port}${path}`).then(
    ({ status }) => status,
    () => 0,
  );
}
