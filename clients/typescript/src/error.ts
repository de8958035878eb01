import type { components } from './schema.ts';

/** What is wrong with one field of a body. */
type FieldError = components['schemas']['FieldError'];

/** An error response, of Roster or of a proxy in front of it. */
export class RosterError extends Error {
  override readonly name = 'RosterError';
  /** The HTTP status. */
  readonly status: number;
  /** The reason, for programs; `undefined` if the response does not come from Roster. */
  readonly code: number | undefined;
  /** One per field that is not valid, in the order of the fields; empty unless the code is 1024. */
  readonly fieldErrors: readonly FieldError[];
  /** How long to wait before the next try (s), with status 429 or 503. */
  readonly retryAfter: number | undefined;
  /** Finds the request in the service's log. */
  readonly requestId: string | undefined;

  /** @param body the response's body as text */
  constructor(response: Response, body: string) {
    const { code, message } = parse(body);
    const fieldErrors = Array.isArray(message) ? (message as FieldError[]) : [];
    const reasons = fieldErrors.map(({ title, detail }) => `${title} ${detail}`).join('; ');
    super(reasons || (typeof message === 'string' ? message : `The response is ${response.status}.`));
    this.status = response.status;
    this.code = typeof code === 'number' ? code : undefined;
    this.fieldErrors = fieldErrors;
    this.retryAfter = secondsUntil(response.headers.get('Retry-After'));
    this.requestId = response.headers.get('X-Request-Id') ?? undefined;
  }
}

/** @param time seconds, or an HTTP date, as proxies may send */
function secondsUntil(time: string | null): number | undefined {
  const seconds = Number(time);
  if (!time || seconds >= 0) return seconds || undefined;
  const left = Math.ceil((Date.parse(time) - Date.now()) / 1000);
  return left > 0 ? left : undefined;
}

/** The fields of a body; none if it is not JSON. */
export function parse(body: string): { code?: unknown; message?: unknown; data?: unknown } {
  try {
    return Object(JSON.parse(body)) as ReturnType<typeof parse>;
  } catch {
    return {};
  }
}
