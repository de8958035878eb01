import type { ApiResponse } from '../support/client';
import { type Service, useService } from '../support/service';
import { expectSound } from './invariants';

const ROUNDS = Number(process.env.RACE_ROUNDS ?? 20);

/** Rounds that run side by side, where they share no record: their work delays each other's. */
const PARALLEL = 4;

/** Round trips to the database after which one racer starts after another, from round to round. */
const DELAYS = [0, 1, 2, 4, 8, 16, 32];

/** One round: requests that overlap, and what must hold afterwards. */
export interface Round {
  racers: readonly (() => Promise<ApiResponse>)[];
  check?: (responses: ApiResponse[]) => Promise<unknown>;
}

let service: Service;

/** Starts the service of a file of races. After each test, what it stores must be sound. */
export function useRaces(set: (started: Service) => void): void {
  // Hundreds of rounds create more Organizations than a User may.
  service = useService({ ORGANIZATIONS_PER_USER: '0' });
  set(service);
  afterEach(() => expectSound(service));
}

/**
 * Declares a test that runs a race again and again.
 *
 * @param outcomes what the responses may be together, in short
 * @param start makes fresh records
 * @param parallel 1 where all rounds are about the same records
 */
export function races(
  title: string,
  outcomes: readonly string[],
  start: () => Promise<Round>,
  parallel = PARALLEL,
): void {
  it(title, async () => {
    let rounds = 0;
    const runRounds = async (): Promise<void> => {
      while (rounds < ROUNDS) {
        const round = rounds++;
        const { racers, check } = await start();
        const responses = await race(racers, round);
        expect(outcomes).toContain(responses.map(short).join(' | '));
        await check?.(responses);
      }
    };
    await Promise.all(Array.from({ length: parallel }, runRounds));
  });
}

/** Starts racers so that their order and how much they overlap depend on the round; in the first they start at once. */
export function race<T>(racers: readonly (() => Promise<T>)[], round = 0): Promise<T[]> {
  const delay = DELAYS[Math.floor(round / racers.length) % DELAYS.length]!;
  return Promise.all(
    racers.map(async (racer, index) => {
      const position = (index + round) % racers.length;
      for (let left = position * delay; left > 0; left -= 1) await service.connection.db!.command({ ping: 1 });
      return racer();
    }),
  );
}

export function twenty(request: (number: number) => Promise<ApiResponse>): Promise<ApiResponse[]> {
  return race(Array.from({ length: 20 }, (_, number) => () => request(number)));
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

export function expectOneWinner(responses: readonly ApiResponse[], winner: string, loser: string): void {
  expect(responses.map(short).sort()).toEqual([winner, ...Array<string>(responses.length - 1).fill(loser)]);
}
