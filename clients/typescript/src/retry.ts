import { RosterError } from './error.ts';

type Fetch = (request: Request) => Promise<Response>;

/** Maintenance, overload and an identity provider out of reach: the request was refused before anything was done. */
const NOTHING_DONE: readonly unknown[] = [1902, 1903, 1904];
/** Longest wait (s): that of maintenance. The limits of Roster are per minute. */
const MAX_WAIT = 120;

/**
 * Sends a request again after 429 and 503, when `Retry-After` says. After a 503, a write may have been stored, so it is
 * sent again only if the code says that it was not.
 *
 * @param retries how often
 */
export function withRetries(fetch: Fetch, retries: number): Fetch {
  return async (request) => {
    let next = request;
    for (let left = retries; left > 0; left--) {
      const current = next;
      next = current.clone();
      const response = await fetch(current);
      const seconds = await secondsToWait(request.method, response);
      if (seconds === undefined) return response;
      await response.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
    return fetch(next);
  };
}

/** @returns undefined if the request must not be sent again */
async function secondsToWait(method: string, response: Response): Promise<number | undefined> {
  if (response.status !== 429 && response.status !== 503) return undefined;
  const { code, retryAfter } = new RosterError(response, await response.clone().text());
  const isSafe = method === 'GET' || response.status === 429 || NOTHING_DONE.includes(code);
  return isSafe && retryAfter !== undefined && retryAfter <= MAX_WAIT ? retryAfter : undefined;
}
