/**
 * A failed start that the person at the terminal can do something about. The message says what is wrong and what to do
 * next, so it is shown without a stack trace.
 */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}

/** What the person at the terminal sees of a failed start: an unexpected error comes with its stack trace. */
export function startErrorText(error: unknown): string {
  if (error instanceof StartError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
