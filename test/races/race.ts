import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiResponse } from '../support/client';

/** How many rounds each pair of racers runs: what a race breaks (contract §1.8), it breaks in few of them. */
const ROUNDS = 200;

/** How long one pair may take (ms); on a machine that is busy otherwise there are fewer rounds then. */
const BUDGET_MS = 40_000;
jest.setTimeout(BUDGET_MS + 20_000);

/** How many rounds run side by side, where they do not share a record: their work delays each other's, at random. */
const LANES = 4;

/**
 * How much later than the others a racer may start (ms), so that each of them is first in some of the rounds, the slower
 * one too. Mostly they start close together.
 */
const SPREAD_MS = 50;

/** Starts all racers at nearly the same moment. */
export function race(...racers: (() => Promise<ApiResponse>)[]): Promise<ApiResponse[]> {
  return Promise.all(
    racers.map(async (racer) => {
      await sleep(Math.random() ** 3 * SPREAD_MS);
      return racer();
    }),
  );
}

/** An answer in short: its status and, of a failure, its code and those of its faults: `409 1506`, `400 1024 5012`. */
export function short({ status, body }: ApiResponse): string {
  if (status < 400) return String(status);
  const faults = Array.isArray(body.message) ? body.message.map(({ code }: { code: number }) => code) : [];
  return [status, body.code, ...faults].join(' ');
}

/**
 * Runs a pair of racers again and again and compares what came of it.
 *
 * @param round one race on fresh records; gives its outcome, once it has checked what is stored
 * @param expected the outcomes there may be: true for one that must have been seen, false for one that is rare
 * @param lanes 1 where all rounds are about the same record
 */
export async function rounds(
  round: () => Promise<string>,
  expected: Readonly<Record<string, boolean>>,
  lanes = LANES,
): Promise<void> {
  const seen = new Map<string, number>();
  const end = Date.now() + BUDGET_MS;
  let left = ROUNDS;
  const lane = async (): Promise<void> => {
    while (left-- > 0 && Date.now() < end) {
      const outcome = await round();
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const unexpected = [...seen].filter(([outcome]) => !(outcome in expected));
  const missing = Object.keys(expected).filter((outcome) => expected[outcome] && !seen.has(outcome));
  expect({ unexpected, missing, seen }).toEqual({ unexpected: [], missing: [], seen });
}
