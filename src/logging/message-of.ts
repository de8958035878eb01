/** What a log line says of whatever was thrown, an Error or not: its message, without the trace. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
