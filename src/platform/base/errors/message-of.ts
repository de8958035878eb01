/** The message of whatever was thrown, an Error or not, for a log line without the trace. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
