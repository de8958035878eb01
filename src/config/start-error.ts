/**
 * Why a start failed that a person at the terminal can do something about. The message says what is wrong and what to
 * do next; a stack trace would add nothing.
 */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}

/** What the person at the terminal is shown of a failed start; where it is a mistake of ours, with its trace. */
export function failureText(error: unknown): string {
  if (error instanceof StartError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
