import type { Connection } from 'mongoose';
import type { AnyModel } from '../any-model';
import { withLock } from '../start-lock';
import { readDataVersion, recordStep } from './data-version';
import { Step, STEPS } from './steps';

/**
 * Runs the steps that the data has not had yet, one instance at a time.
 *
 * @param connection without a time limit for sockets: a step may take longer than a request may
 * @param onStep is called after each step
 */
export async function migrate(
  connection: Connection,
  models: readonly AnyModel[],
  onStep: (step: Step) => void = () => undefined,
  steps: readonly Step[] = STEPS,
): Promise<void> {
  if ((await missingSteps(connection, steps)).length === 0) return;
  await withLock(connection, 'migrations', async () => {
    // Another instance may have run them while this one waited.
    for (const step of await missingSteps(connection, steps)) {
      await step.run(connection, models);
      await recordStep(connection, step);
      onStep(step);
    }
  });
}

async function missingSteps(connection: Connection, steps: readonly Step[]): Promise<Step[]> {
  const data = await readDataVersion(connection);
  return steps.filter(({ version }) => version > data.version);
}
