import { StartError } from './start-error';

/** The service cannot start with these settings. Lists every problem, one per line. */
export class SettingsError extends StartError {
  override readonly name = 'SettingsError';

  /** @param problems one line each: the variable, its value (never a secret), and what it must be */
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}
