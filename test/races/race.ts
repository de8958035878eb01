import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiResponse } from '../support/client';

/** How many rounds each race has, and the time after which no other round begins (ms). */
const ROUNDS = Number(process.env.RACE_ROUNDS ?? 40);
const BUDGET_MS = Number(process.env.RACE_BUDGET_MS ?? 4000);
jest.setTimeout(BUDGET_MS + 30_000);

/** How many rounds run side by side, where they share no record: their work delays each other's at random. */
const LANES = 4;

/** How much later than the others a racer may start (ms), so each of them is first in some rounds. */
const SPREAD_MS = 30;

/** One round: requests that are sent at nearly the same moment, and what must hold afterwards. */
export interface Round {
  racers: readonly (() => Promise<ApiResponse>)[];
  check?: (responses: ApiResponse[]) => Promise<unknown>;
}

/**
 * Declares a test that runs a race again and again.
 *
 * @param outcomes what the responses may be together, in short
 * @param start makes fresh records
 * @param lanes 1 where all rounds are about the same records
 */
export function races(title: string, outcomes: readonly string[], start: () => Promise<Round>, lanes = LANES): void {
  it(title, async () => {
    const end = Date.now() + BUDGET_MS;
    let left = ROUNDS;
    const lane = async (): Promise<void> => {
      while (left-- > 0 && Date.now() < end) {
        const { racers, check } = await start();
        const responses = await race(...racers);
        expect(outcomes).toContain(responses.map(short).join(' | '));
        await check?.(responses);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  });
}

/** Starts all racers at nearly the same moment. */
export function race(...racers: (() => Promise<ApiResponse>)[]): Promise<ApiResponse[]> {
  return Promise.all(
    racers.map(async (racer) => {
      await sleep(Math.random() ** 3 * SPREAD_MS);
      return racer();
    }),
  );
}

/** Starts the same request twenty times. */
export function twenty(request: (number: number) => Promise<ApiResponse>): Promise<ApiResponse[]> {
  return race(...Array.from({ length: 20 }, (_, number) => () => request(number)));
}

/** A response in short: its status and the codes of its errors: `409 1506`, `400 1024 5012`. */
export function short({ status, body }: ApiResponse): string {
  if (status < 400) return String(status);
  const fields = Array.isArray(body.message) ? body.message.map(({ code }: { code: number }) => code) : [];
  return [status, body.code, ...fields].join(' ');
}

/** Asserts that all records with one slug base were created, with an index each. */
export function expectIndexes(responses: readonly ApiResponse[]): void {
  expect(new Set(responses.map(short))).toEqual(new Set(['201']));
  const indexes = responses.map(({ body }) => body.data.friendlySlugs.slug.index as number);
  expect(indexes.sort((one, other) => one - other)).toEqual(responses.map((_, index) => index));
}

/** Asserts that one of twenty succeeded and the others lost. */
export function expectOneWinner(responses: readonly ApiResponse[], winner: string, loser: string): void {
  expect(responses.map(short).sort()).toEqual([winner, ...Array<string>(responses.length - 1).fill(loser)]);
}
