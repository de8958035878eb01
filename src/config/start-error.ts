/**
 * An error at startup that the person at the terminal can fix. The message says what is wrong and what to do next; a
 * stack trace would add nothing.
 */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}

/** What the terminal shows of a failed start. Unexpected errors come with their stack trace. */
export function failureText(error: unknown): string {
  if (error instanceof StartError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
