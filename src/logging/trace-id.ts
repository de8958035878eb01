/**
 * https://www.w3.org/TR/trace-context/#traceparent-header; an id of zeros is not valid, nor is version ff, nor is more
 * than 55 characters in version 00.
 */
const TRACEPARENT = /^(?!ff|00.{54})[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/;

/** The id of the trace that the caller says the request is part of. */
export function traceIdOf(traceparent: string | string[] | undefined): string | undefined {
  return typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined;
}
