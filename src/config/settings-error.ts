import { StartError } from './start-error';

/** Settings that the service cannot start with: every problem at once, one line each. */
export class SettingsError extends StartError {
  override readonly name = 'SettingsError';

  /** @param problems one line each: the variable, what was given (never a secret), what is wanted */
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}
