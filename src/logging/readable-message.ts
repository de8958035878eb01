/** What a line says in development besides its message; other fields follow it as they are. */
type LogLine = Partial<
  Record<'context' | 'msg' | 'method' | 'path' | 'status' | 'ms' | 'accountId' | 'requestId', string | number>
>;

/** The text of a log line in development: what happened, and the request that it belongs to. */
export function readableMessage(line: LogLine): string {
  const { context, msg, method, path, status, ms, accountId, requestId } = line;
  const parts = [
    context && `${context}:`,
    msg,
    method && `${method} ${path} ${status}`,
    ms !== undefined && `${ms} ms`,
    accountId && `account ${accountId}`,
    requestId && `(${requestId})`,
  ];
  return parts.filter(Boolean).join(' ');
}
